# SPDX-License-Identifier: Apache-2.0
"""Observes the DataLoaders of a job that nobody changed. See app/probe/README.md."""
