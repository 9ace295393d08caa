# SPDX-License-Identifier: Apache-2.0
"""datasets_test.py PROBE: what the probe says of datasets, and whom it asks for the epoch, with a stand-in for torch."""
import sys
import time
import types
import unittest

sys.path.insert(0, sys.argv.pop(1))
from shardlens_probe import datasets, describe, trouble  # noqa: E402


class Dataset:
    pass


class IterableDataset(Dataset):
    pass


class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index):
        return self.dataset[self.indices[index]]

    def __len__(self):
        return len(self.indices)


torch = types.SimpleNamespace(
    Tensor=type("Tensor", (), {}),
    utils=types.SimpleNamespace(data=types.SimpleNamespace(Dataset=Dataset, IterableDataset=IterableDataset, Subset=Subset)),
)


class Loud:
    """Whatever is done with it, it complains."""

    def __repr__(self):
        raise AssertionError("repr")

    __str__ = __len__ = __iter__ = __hash__ = __eq__ = __getitem__ = __index__ = __repr__


class Store:
    def __init__(self, ids):
        self.ids = ids


class Files(Dataset):
    def __init__(self, **attributes):
        self.__dict__.update(attributes)

    def __len__(self):
        return 7

    def __getitem__(self, index):
        raise AssertionError("an item was read")


def marks(**attributes):
    return datasets.described(torch, Files(**attributes))["attributes"]


class Described(unittest.TestCase):
    def tearDown(self):
        self.assertEqual(trouble.count, 0)

    def test_equal_datasets_have_equal_marks(self):
        def some():
            return {"root": "/data", "n": 3, "names": ["a%d" % i for i in range(1000)], "loud": Loud(), "inner": Files(root="/x", loud=[Loud()])}

        self.assertEqual(marks(**some()), marks(**some()))
        self.assertEqual(set(marks(**some())), {"root", "n", "names", "loud", "inner"})

    def test_what_is_looked_at_tells_datasets_apart(self):
        for one, other in (
            ("/data/0", "/data/1"),
            (1, 1.0),
            (["a", "b"], ["a", "c"]),
            (["a"] * 1000, ["a"] * 999 + ["b"]),
            ([("a", 1)], [("a", 2)]),
            ({"a": 1}, {"a": 2}),
            ({1, 2}, {1}),
            (range(4), range(5)),
            (b"x", "x"),
            ("a" * 99999 + "b", "a" * 99999 + "c"),
            (Files(root="/0"), Files(root="/1")),
            (None, Loud()),
            (Store([1, 2]), Store([1, 3])),
            ([Store("a")], [Store("b")]),
        ):
            self.assertNotEqual(marks(of=one), marks(of=other))

    def test_lists_and_attributes_of_classes_are_looked_at(self):
        def of_class(shard):
            return type("Shard", (Files,), {"shard": shard})()

        for make in (lambda shard: [shard], lambda shard: (shard, 1), lambda shard: {0: shard}, of_class):
            said = [datasets.described(torch, make(shard))["attributes"] for shard in ("a", "a", "b")]
            self.assertEqual(said[0], said[1])
            self.assertNotEqual(said[0], said[2])

    def test_subsets_of_subsets_take_samples_of_the_dataset_below(self):
        inner = Subset(Files(root="/data"), [6, 5, 4, 3])
        said = datasets.described(torch, Subset(inner, range(1, 4, 2)))
        self.assertEqual(said["length"], 2)
        self.assertEqual(said["subset"]["indices"], [5, 3])
        self.assertEqual(said["subset"]["length"], 7)
        self.assertEqual(said["subset"]["attributes"], marks(root="/data"))
        other = datasets.described(torch, Subset(inner, [1, 2]))
        self.assertNotEqual(said["subset"]["digest"], other["subset"]["digest"])

    def test_indices_that_are_no_plain_numbers_are_not_known(self):
        for indices in (["a"], [Loud()], Loud(), [1.5]):
            subset = Subset(Files(), indices)
            said = datasets._subset(torch, subset)
            self.assertEqual((said["digest"], said["indices"]), (None, None))

    def test_a_subset_that_reads_in_its_own_way_is_none(self):
        class Mine(Subset):
            def __getitem__(self, index):
                return 0

        self.assertNotIn("subset", datasets.described(torch, Mine(Files(), [1])))

    def test_large_datasets_cost_little(self):
        rows = [("/some/path/%d" % i, i % 10) for i in range(200000)]
        attributes = {"rows%d" % i: rows for i in range(50)}
        begun = time.process_time()
        marks(**attributes)
        self.assertLess(time.process_time() - begun, 0.1)
        deep = []
        deep.append(deep)  # a list in itself
        marks(deep=deep, wide=[[[["x"] * 100] * 100] * 100] * 100)
        self.assertLess(time.process_time() - begun, 0.3)

    def test_the_sampler_in_a_batch_sampler_is_told_the_epoch_wherever_that_stands(self):
        distributed = types.SimpleNamespace(set_epoch=lambda epoch: None)
        batches = types.SimpleNamespace(sampler=distributed, batch_size=4)
        plain = types.SimpleNamespace()
        for loader in (
            types.SimpleNamespace(sampler=plain, batch_sampler=batches),
            types.SimpleNamespace(sampler=batches, batch_sampler=None),
            types.SimpleNamespace(sampler=distributed, batch_sampler=None),
        ):
            self.assertIs(describe.sampler_with_epoch(loader), distributed)
            self.assertIs(describe.sampler_of_samples(loader), distributed)

    def test_only_timms_class_gives_pairs(self):
        def loader(module, **more):
            one = type("ScheduledBatchSampler", (), {"__module__": module})()
            return types.SimpleNamespace(**{"sampler": types.SimpleNamespace(), "batch_sampler": one, **more})

        timms = loader("timm.data.scheduled_sampler")
        self.assertTrue(describe.gives_pairs(timms))
        self.assertTrue(describe.gives_pairs(types.SimpleNamespace(sampler=timms.batch_sampler, batch_sampler=None)))
        self.assertTrue(describe.gives_pairs(loader("", batch_sampler=types.SimpleNamespace(batch_sampler=timms.batch_sampler))))
        self.assertFalse(describe.gives_pairs(loader("train")))

    def test_a_loop_is_where_a_framework_reads_and_where_the_job_calls_it(self):
        installed = "/venv/lib/python3.11/site-packages/"
        names = {"torch": types.SimpleNamespace(__file__=installed + "torch/__init__.py", sites=describe.sites_of_loop)}
        places = [installed + "torch/utils/data/dataloader.py", installed + "lightning/loops/fit.py", "/home/me/fit.py"]
        body = "torch.sites(torch)"
        for number, place in enumerate(places):
            exec(compile("def f%d():\n  return %s\n" % (number, body), place, "exec"), names)
            body = "f%d()" % number
        self.assertEqual(names["f2"](), (places[1] + ":2", places[2] + ":2"))

    def test_a_dataset_is_described_once(self):
        data = Files(root="/data")
        self.assertIs(datasets.described(torch, data), datasets.described(torch, data))


unittest.main()
