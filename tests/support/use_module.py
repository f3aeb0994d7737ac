"""Uses python/warpwalk.py as its users do; tests/cli/python.sh runs it. Arguments: the program, this tree."""

import json
import os
import signal
import subprocess
import sys
import threading
import types
import unittest

import warpwalk

PROGRAM, ROOT = sys.argv[1:3]
VADD = os.path.join(ROOT, "examples", "vadd", "vadd.yaml")


def from_program(*arguments):
    """The result that the program prints."""
    return json.loads(subprocess.run([PROGRAM, *arguments, "--json", "-"], capture_output=True, check=True).stdout)


def without_host(result):
    return {key: value for key, value in result.items() if "host_" not in key}


class Runs(unittest.TestCase):
    def test_gives_what_the_program_gives(self):
        result = warpwalk.run("atax", machine="gtx480-cawa", size="tiny", seed=7,
                              set={"core.scheduler": "rr", "l1d.ways": 8, "checked": True}, region={"skip": 100, "measure": 9000})
        wanted = from_program("run", "atax", "-m", "gtx480-cawa", "--size", "tiny", "--seed", "7", "-s", "core.scheduler=rr",
                              "-s", "l1d.ways=8", "-s", "checked=true", "--region", "skip=100,measure=9000")
        self.assertEqual(without_host(result.json), without_host(wanted))
        self.assertEqual(json.loads(result.text), result.json)
        self.assertEqual((result.cycles, result.stats["l1d.misses"]), (wanted["cycles"], wanted["stats"]["l1d.misses"]))

    def test_runs_launch_files_and_values_alone(self):
        result = warpwalk.run(VADD, set={"gpu.compute_units": 2})
        self.assertTrue(result.verified and result.complete and result.cycles > 0)
        result = warpwalk.run("atax", size={"rows": 64}, timed=False)
        self.assertIsNone(result.cycles)
        self.assertEqual(result.json["parameters"]["rows"], 64)

    def test_the_default_machine_is_that_of_the_program(self):
        self.assertEqual(warpwalk.run("atax", size="tiny", max_instructions=0).json["machine"],
                         from_program("run", "atax", "--size", "tiny")["machine"])

    def test_wrong_input_is_the_line_of_the_program(self):
        for arguments, line in (
                ({"name": "atx"}, "no workload 'atx' in the catalogue (did you mean 'atax'?)"),
                ({"name": "atax", "machine": "v10"}, "unknown machine 'v10' (did you mean 'v100'?)"),
                ({"name": "atax", "set": {"core.schedler": "gto"}}, "unknown key 'core.schedler' (did you mean 'core.scheduler'?)"),
                ({"name": "atax", "set": {"l2.ways": 3}}, "l2.ways"),
                ({"name": "atax", "size": "huge"}, "huge"),
                ({"name": "atax", "region": "all"}, "--region: 'all'"),
                ({"name": "atax", "seed": -1}, "seed is -1"),
                ({"name": "at\0ax"}, "name has a character of code 0")):
            with self.assertRaises(warpwalk.InputError) as caught:
                warpwalk.run(**arguments)
            self.assertIn(line, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))
            self.assertIsInstance(caught.exception, ValueError)

    def test_a_run_that_fails_has_what_is_known(self):
        with self.assertRaises(warpwalk.RunError) as caught:
            warpwalk.run("atax", size="tiny", max_instructions=500)
        self.assertIn("(--max-instructions)", str(caught.exception))
        self.assertFalse(caught.exception.result.complete)

    def test_what_kernels_print_is_in_the_result(self):
        with open("say.cl", "w", encoding="utf-8") as file:
            file.write('kernel void say(void) { if (get_global_id(0) == 3) printf("three\\n"); }\n')
        with open("say.yaml", "w", encoding="utf-8") as file:
            file.write("kernel: say.cl\nlaunches: [{entry: say, global: [64], local: [64], args: []}]\n")
        self.assertEqual(warpwalk.run("say.yaml").output, "three\n")


class Callbacks(unittest.TestCase):
    def test_launches_are_those_of_the_result(self):
        launches, progress = [], []
        result = warpwalk.run("atax", size="tiny", launched=launches.append, progress=progress.append)
        self.assertEqual([(x.kernel, x.cycles, x.warp_instructions, x.thread_instructions) for x in launches],
                         [(k["entry"], k["cycles"], k["warp_instructions"], k["thread_instructions"]) for k in result.kernels])
        self.assertEqual([(x.launch, x.launches) for x in launches], [(1, 2), (2, 2)])
        self.assertTrue(0 < progress[-1].warp_instructions <= result.json["warp_instructions"])

    def test_what_is_true_stops_the_run(self):
        result = warpwalk.run("atax", size="tiny", launched=lambda launch: launch.launch == 1)
        self.assertEqual((result.complete, len(result.kernels), result.verified), (False, 1, None))
        self.assertFalse(warpwalk.run("atax", size="tiny", progress=lambda _: True).complete)

    def test_an_exception_stops_the_run_and_is_raised(self):
        def fail(_):
            raise KeyError("mine")
        with self.assertRaises(KeyError):
            warpwalk.run("atax", size="tiny", launched=fail)

    def test_an_interrupt_stops_the_run(self):
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            warpwalk.run("syrk", machine="v100", size="small")
            signal.pause()  # the run was too short: the signal is still to come


class Sweeps(unittest.TestCase):
    def test_rows_are_crossed_in_order(self):
        ended = []
        rows = warpwalk.sweep(["atax", "bfs"], machine="gtx480-cawa", size="tiny", jobs=2, frame=False, stats=["l1d.misses"],
                              set={"core.scheduler": ["rr", "gto"], "l1d.size": "32KiB"}, seed=[1, 2],
                              progress=lambda *numbers: ended.append(numbers))
        self.assertEqual([(r["workload"], r["core.scheduler"], r["seed"]) for r in rows],
                         [(w, s, n) for w in ("atax", "bfs") for s in ("rr", "gto") for n in (1, 2)])
        self.assertEqual(ended, [(i, 8) for i in range(1, 9)])
        self.assertEqual(list(rows[0]), ["workload", "machine", "core.scheduler", "l1d.size", "size", "region", "seed", "cycles",
                                         "warp_instructions", "thread_instructions", "verified", "l1d.misses", "error"])
        one = warpwalk.run("bfs", machine="gtx480-cawa", size="tiny", seed=2, set={"core.scheduler": "rr", "l1d.size": "32KiB"})
        self.assertEqual((rows[5]["cycles"], rows[5]["l1d.misses"]), (one.cycles, one.stats["l1d.misses"]))
        self.assertNotEqual(rows[4]["cycles"], rows[6]["cycles"])

    def test_the_first_error_in_order_is_raised(self):
        for _ in range(3):
            with self.assertRaises(warpwalk.InputError) as caught:
                warpwalk.sweep("atax", size="tiny", set={"core.scheduler": ["gto", "one", "two", "three"]}, jobs=4)
            self.assertIn("core.scheduler=one", str(caught.exception))
        with self.assertRaises(warpwalk.InputError) as caught:
            warpwalk.sweep("atax", size="tiny", stats=["l1d.mises"])
        self.assertIn("no statistic 'l1d.mises' in the result of atax", str(caught.exception))

    def test_runs_that_fail_can_be_rows(self):
        with self.assertRaises(warpwalk.RunError):
            warpwalk.sweep("atax", size="tiny", max_instructions=100)
        rows = warpwalk.sweep("atax", size=["tiny", "rows=32,columns=32"], max_instructions=5000, keep_going=True, frame=False)
        self.assertIn("(--max-instructions)", rows[0]["error"])
        self.assertNotIn("cycles", rows[0])
        self.assertTrue(rows[1]["error"] is None and rows[1]["cycles"] > 0)

    def test_pandas_is_used_where_it_is(self):
        self.addCleanup(sys.modules.pop, "pandas", None)
        sys.modules["pandas"] = types.SimpleNamespace(DataFrame=lambda rows: ("frame", rows))
        kind, rows = warpwalk.sweep("atax", size="tiny", stats=[])
        self.assertEqual((kind, len(rows)), ("frame", 1))
        self.assertIsInstance(warpwalk.sweep("atax", size="tiny", stats=[], frame=False), list)
        sys.modules["pandas"] = None  # as if it were not installed
        self.assertIsInstance(warpwalk.sweep("atax", size="tiny", stats=[]), list)
        with self.assertRaises(ImportError):
            warpwalk.sweep("atax", size="tiny", stats=[], frame=True)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
