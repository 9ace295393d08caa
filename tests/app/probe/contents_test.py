# SPDX-License-Identifier: Apache-2.0
"""contents_test.py PROBE: equal samples of a stream have equal marks, and others have others, however they are batched. Needs torch."""
import os
import random
import struct
import sys
import unittest

PROBE = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, PROBE)
try:
    import torch
    from torch.utils.data import DataLoader, IterableDataset
except ImportError:
    print("SKIPPED: there is no torch for " + sys.executable)
    sys.exit(77)
from shardlens_probe import contents, datasets  # noqa: E402

SAMPLES, WHOLE, NONE = 0, 1, 2
WANTED = "SHARDLENS_PROBE_CONTENTS"


class Stream(IterableDataset):
    def __init__(self, samples):
        self.samples = samples

    def __iter__(self):
        return iter(self.samples)


def batches(samples, **loader):
    """What follows, and the marks, of each batch that the loop gets."""
    loader = DataLoader(Stream(samples), **loader)
    marker = contents.Marker(torch, loader)
    for batch in loader:
        data = marker.bytes_of(batch)
        (head,) = struct.unpack_from("<I", data)
        count = head & ((1 << 30) - 1)
        yield head >> 30, list(struct.unpack_from("<%dQ" % count, data, 4)) if head >> 30 < NONE else count


def marks(samples, batch_size=8, **loader):
    found = []
    for form, of_batch in batches(samples, batch_size=batch_size, **loader):
        assert form == SAMPLES, form
        found += of_batch
    return found


class Contents(unittest.TestCase):
    def setUp(self):
        os.environ[WANTED] = "1"
        self.addCleanup(os.environ.pop, WANTED, None)

    def test_marks_tell_samples_apart_as_equality_does(self):
        draw = random.Random(5)
        makers = {
            "numbers": lambda: draw.randrange(9),
            "floats": lambda: draw.randrange(9) / 4,
            "texts": lambda: "sample %d" % draw.randrange(9),
            "rows": lambda: tuple(draw.randrange(2) for _ in range(5)),
            "pairs": lambda: (draw.randrange(3), "é" * draw.randrange(3)),
            "maps": lambda: {"a": draw.randrange(3), "b": {"c": float(draw.randrange(3))}},
        }
        for kind, make in makers.items():
            plain = [make() for _ in range(200)]
            given = [torch.tensor(one, dtype=torch.uint8) for one in plain] if kind == "rows" else plain
            found = marks(given)
            self.assertEqual(len(found), 200, kind)
            first = {}
            for one, mark in zip(plain, found):
                self.assertEqual(first.setdefault(repr(one), mark), mark, kind)
            self.assertEqual(len(set(found)), len(first), kind)
            self.assertEqual(marks(given, batch_size=5), found, kind)

    def test_every_bit_counts_and_every_place(self):
        base = torch.zeros(3, 8)
        changed = [base]
        for i in range(3):
            for j in range(8):
                one = base.clone()
                one[i, j] = 2.0 ** (i - j)
                changed.append(one)
        self.assertEqual(len(set(marks(changed))), len(changed))
        wide = [torch.zeros(4, dtype=torch.int64).index_fill(0, torch.tensor([i]), 1 << bit) for i in range(4) for bit in range(63)]
        self.assertEqual(len(set(marks(wide))), len(wide))
        self.assertEqual(len(set(marks([(0, 1), (1, 0)]) + marks([torch.zeros(2, 3)]) + marks([torch.zeros(3, 2)]))), 4)

    def test_what_torch_does_not_collate_is_one_mark_a_batch(self):
        texts = [["a", "bc"], ["ab", "c"], ["a", "bc"]]
        found = list(batches([text for pair in texts for text in pair], batch_size=2, collate_fn=lambda batch: {"texts": batch}))
        self.assertEqual([form for form, _ in found], [WHOLE] * 3)
        self.assertEqual(found[0], found[2])
        self.assertNotEqual(found[0], found[1])
        self.assertEqual([form for form, _ in batches([{"x": torch.ones(2)}], batch_size=None)], [WHOLE])
        self.assertEqual(list(batches([3, 4], batch_size=2, collate_fn=lambda batch: {1, 2})), [(NONE, 2)])

    def test_long_samples_are_marked_where_that_is_wanted(self):
        images = [torch.full((3, 64, 64), float(i // 2)) for i in range(16)]
        self.assertEqual(len(set(marks(images))), 8)
        del os.environ[WANTED]
        self.assertEqual(list(batches(images, batch_size=8)), [(NONE, 1)] * 2)
        self.assertEqual(len(set(marks(list(range(18)), batch_size=8))), 18)  # a short batch at the end is as any other
        os.environ[WANTED] = "0"
        self.assertFalse(contents.Marker(torch, DataLoader(Stream(images))).is_able())


class Datasets(unittest.TestCase):
    def test_shards_of_one_shape_are_told_apart(self):
        def marks_of(dataset):
            return datasets.described(torch, dataset)["attributes"]

        whole = torch.arange(48).reshape(24, 2)
        tensors = torch.utils.data.TensorDataset
        for make in (tensors, lambda x: tensors(x.t()), lambda x: tensors(x[:, 1]), list, lambda x: list(x[:, 0])):
            self.assertNotEqual(marks_of(make(whole[::2])), marks_of(make(whole[1::2])))
        self.assertEqual(marks_of(torch.utils.data.TensorDataset(whole[::2])), marks_of(torch.utils.data.TensorDataset(whole[::2].clone())))


if __name__ == "__main__":
    unittest.main(verbosity=2)
