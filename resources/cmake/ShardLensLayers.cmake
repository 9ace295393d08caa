# SPDX-License-Identifier: Apache-2.0
# Walks the link closure of every module at configure time and stops on an arrow that the architecture forbids.
# (Includes are checked by tests/layers: link lists alone let headers on the default include path through.)
