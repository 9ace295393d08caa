# SPDX-License-Identifier: Apache-2.0
"""The package hands out what `shardlens plan` prints, for every sampler of the registry and for specs drawn at random."""
import glob
import json
import os
import pickle
import subprocess
import sys
import threading
import unittest
from array import array
from pathlib import Path

from common import SHARDLENS, SPEC, WRITE_SPECS, Test, planned

import shardlens

SEED = int(os.environ.get("SHARDLENS_TEST_SEED", 20240229))  # the same in each run; set it to look further


class Plans(Test):
    def test_every_sampler_and_random_specs(self):
        print(f"SHARDLENS_TEST_SEED={SEED}")
        subprocess.run([WRITE_SPECS, self.folder, str(SEED), "150"], check=True)
        listed = json.loads(subprocess.run([SHARDLENS, "samplers", "--format", "json"], capture_output=True, check=True).stdout)
        specs = sorted(glob.glob(os.path.join(self.folder, "*.yaml")))
        self.assertLessEqual({one["type"] + ".yaml" for one in listed["samplers"]}, {os.path.basename(path) for path in specs})
        self.assertEqual(len(specs), len(listed["samplers"]) + 150)
        for spec in specs:
            with self.subTest(spec=Path(spec).read_text(encoding="utf-8")):
                self.check_plan(spec)

    def check_plan(self, spec):
        plan = shardlens.Plan(spec)
        again = shardlens.Plan(plan.text)
        self.assertEqual(again.text, plan.text)
        expected = planned(spec)
        self.assertEqual(len(expected), plan.epochs * plan.world_size)
        for (epoch, rank), (batches, fingerprint) in expected.items():
            sampler = plan.batch_sampler(rank=rank)
            sampler.set_epoch(epoch)
            self.assertEqual(list(sampler), batches)
            self.assertEqual(len(sampler), len(batches))
            self.assertEqual(again.fingerprint(epoch, rank), fingerprint)
            self.check_items(plan, epoch, rank, batches)

    def check_items(self, plan, epoch, rank, batches):
        """The other sampler, cut as torch's BatchSampler cuts; or a refusal that names the right one."""
        try:
            sampler = plan.sampler(rank=rank)
        except ValueError as error:
            self.assertIn("batch_sampler=plan.batch_sampler()", str(error))
            return
        sampler.set_epoch(epoch)
        items = list(sampler)
        self.assertEqual(len(sampler), len(items))
        cut = [items[first : first + plan.batch_size] for first in range(0, len(items), plan.batch_size)]
        if plan.drop_last and cut and len(cut[-1]) < plan.batch_size:
            cut.pop()
        self.assertEqual(cut, batches)
        self.assertEqual(list(plan.indices(epoch, rank)), items)

    def test_numbers_of_the_spec(self):
        plan = shardlens.Plan(self.path("pipeline.yaml", SPEC))
        self.assertEqual((plan.name, plan.world_size, plan.epochs, plan.dataset_size), ("four-ranks", 4, 3, 203))
        self.assertEqual((plan.batch_size, plan.num_workers, plan.drop_last, plan.sampler_type), (3, 2, False, "torch.DistributedSampler"))
        self.assertEqual(plan.value("sampler.seed"), "7")
        self.assertEqual([plan.seed(rank=rank) for rank in range(4)], [5, 6, 7, 8])
        self.assertIsNone(shardlens.Plan(SPEC.replace("base: 5, rule: base+rank", "rule: unseeded")).seed(rank=0))

    def test_all_faults_of_a_spec_are_said(self):
        with self.assertRaises(ValueError) as caught:
            shardlens.Plan(self.path("wrong.yaml", "shardlens: 2\nsampler: {typ: a}\nworld: {nodes: 0}\n"))
        self.assertRegex(str(caught.exception), r"wrong\.yaml:2:11: sampler\.typ")
        self.assertIn("wrong.yaml:3:", str(caught.exception))
        with self.assertRaisesRegex(OSError, "nowhere.yaml"):
            shardlens.Plan(os.path.join(self.folder, "nowhere.yaml"))
        with self.assertRaisesRegex(ValueError, "never seeds"):
            shardlens.Plan("shardlens: 2\nsampler: {type: torch.RandomSampler}\nseeds: {rule: unseeded}\n")

    def test_what_the_plan_does_not_have(self):
        plan = shardlens.Plan(SPEC)
        for wrong in (lambda: plan.share(3, 0), lambda: plan.share(-1, 0)):
            self.assertRaisesRegex(ValueError, "epochs 0 to 2", wrong)
        for wrong in (lambda: plan.share(0, 4), lambda: plan.steps(0, -1)):
            self.assertRaisesRegex(ValueError, "ranks 0 to 3", wrong)
        self.assertRaisesRegex(ValueError, "step 17", lambda: plan.share(0, 0).batch(17))
        self.assertRaisesRegex(ValueError, "sampler.sed", lambda: plan.value("sampler.sed"))

    def test_ids_go_where_they_are_wanted(self):
        plan = shardlens.Plan(SPEC)
        ids = plan.share(1, 2).ids(0, 51)
        out = array("q", bytes(8 * 51))
        self.assertIs(plan.indices(1, 2, out=out), out)
        self.assertEqual(out.tolist(), ids)
        for wrong in (array("q", bytes(8 * 50)), array("i", bytes(4 * 102)), bytes(8 * 51)):
            self.assertRaisesRegex(ValueError, "51 signed 64-bit", lambda: plan.indices(1, 2, out=wrong))

    def test_a_plan_is_a_value(self):
        plan = shardlens.Plan(SPEC)
        self.assertEqual(pickle.loads(pickle.dumps(plan)).text, plan.text)
        found = []
        threads = [threading.Thread(target=lambda rank=rank: found.append((rank, list(plan.share(2, rank).ids(0, 51))))) for rank in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(dict(found), {rank: shardlens.Plan(SPEC).share(2, rank).ids(0, 51) for rank in range(4)})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
