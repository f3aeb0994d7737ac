"""warpwalk from Python: timed runs of GPU programs, and sweeps over settings.

    import warpwalk
    result = warpwalk.run("atax", machine="v100", size="tiny", set={"core.scheduler": "gto"})
    print(result.cycles, result.stats["l1d.misses"])

Needs libwarpwalk.so and nothing but the standard library; docs/python.md explains.
"""

import concurrent.futures
import ctypes
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
from collections import namedtuple

__all__ = ["Error", "InputError", "RunError", "Result", "Progress", "Launch", "run", "sweep", "version"]

DEFAULT_MACHINE = "apu-isca18"  # of timed runs, as `warpwalk run` has it
_LIBRARY = "libwarpwalk.so.0"  # with the version of the interface below


class Error(Exception):
    """What the library says is wrong: a line for each reason."""


class InputError(Error, ValueError):
    """The input is wrong: a name, a key, a value, a file. Nothing was simulated."""


class RunError(Error):
    """The run failed, or its values are wrong. `result` is what is known of it, or None."""

    def __init__(self, message, result=None):
        super().__init__(message)
        self.result = result


# ---- the library ----


class _Progress(ctypes.Structure):
    _fields_ = [("warp_instructions", ctypes.c_uint64), ("launch", ctypes.c_uint64), ("launches", ctypes.c_uint64),
                ("groups_done", ctypes.c_uint64), ("groups", ctypes.c_uint64), ("first_pass", ctypes.c_int)]


class _Launch(ctypes.Structure):
    _fields_ = [("kernel", ctypes.c_char_p), ("launch", ctypes.c_uint64), ("launches", ctypes.c_uint64),
                ("cycles", ctypes.c_uint64), ("warp_instructions", ctypes.c_uint64),
                ("thread_instructions", ctypes.c_uint64)]


Progress = namedtuple("Progress", [name for name, _ in _Progress._fields_])
Launch = namedtuple("Launch", [name for name, _ in _Launch._fields_])

_PROGRESS_FN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Progress))
_LAUNCH_FN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Launch))
_OUTPUT_FN = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)

_SIGNATURES = {
    "create": (ctypes.c_void_p,),
    "destroy": (None, ctypes.c_void_p),
    "machine": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p),
    "set": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p),
    "seed": (None, ctypes.c_void_p, ctypes.c_uint64),
    "limit": (None, ctypes.c_void_p, ctypes.c_uint64),
    "verify": (None, ctypes.c_void_p, ctypes.c_int),
    "dump_dir": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p),
    "region": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p),
    "hint": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p),
    "timeline": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p),
    "on_progress": (None, ctypes.c_void_p, _PROGRESS_FN, ctypes.c_void_p),
    "on_launch": (None, ctypes.c_void_p, _LAUNCH_FN, ctypes.c_void_p),
    "on_output": (None, ctypes.c_void_p, _OUTPUT_FN, ctypes.c_void_p),
    "exec": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p),
    "run": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p),
    "result": (ctypes.c_char_p, ctypes.c_void_p),
    "errors": (ctypes.c_char_p, ctypes.c_void_p),
}


def _library_path():
    """Of WARPWALK_LIBRARY, of the build beside this file, of the place where it is installed with it, or of the system."""
    chosen = os.environ.get("WARPWALK_LIBRARY")
    if chosen:
        return os.path.abspath(chosen)
    here = os.path.dirname(os.path.abspath(__file__))
    for folder in (os.path.join(here, "..", "build"), os.path.join(here, "..", "..")):
        path = os.path.normpath(os.path.join(folder, _LIBRARY))
        if os.path.exists(path):
            return path
    return _LIBRARY


def _load():
    path = _library_path()
    try:
        library = ctypes.CDLL(path)
        library.ww_version.restype = ctypes.c_char_p
        for name, (result, *arguments) in _SIGNATURES.items():
            function = getattr(library, "ww_simulation_" + name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        raise ImportError(f"{error} (build warpwalk with make, or name its library in WARPWALK_LIBRARY)") from None
    return library, path


_lib, _path = _load()
version = _lib.ww_version().decode()


# ---- texts ----


def _bytes(text, what):
    data = os.fsencode(text) if isinstance(text, (str, bytes, os.PathLike)) else str(text).encode()
    if b"\0" in data:
        raise InputError(f"{what} has a character of code 0")
    return data


def _value(value):
    """As the command line writes it."""
    return str(value).lower() if isinstance(value, bool) else value


def _pairs(value):
    """{"n": 64, "group": 8} becomes "n=64,group=8", as after --size and --region."""
    return ",".join(f"{k}={_value(v)}" for k, v in value.items()) if isinstance(value, dict) else value


def _optional(text, what):
    return None if text is None else _bytes(text, what)


# ---- a run ----


class Result:
    """What a run says. `json` is the whole object, as `warpwalk run --json -` prints it, `text` the same as text; `output`
    is what kernels printed and what the compiler warned of."""

    def __init__(self, text, output=""):
        self.text = text
        self.output = output
        self.json = json.loads(text)

    cycles = property(lambda self: self.json["cycles"])
    stats = property(lambda self: self.json["stats"])
    config = property(lambda self: self.json["config"])
    kernels = property(lambda self: self.json["kernels"])
    verified = property(lambda self: self.json["verified"])
    complete = property(lambda self: self.json["complete"])

    def __repr__(self):
        return f"<warpwalk.Result {self.json['workload']} on {self.json['machine']}: {self.cycles} cycles>"


class _Callbacks:
    """The functions that the library calls. An exception in one stops the run and is raised after it."""

    def __init__(self, progress, launched):
        self.raised = None
        self.stopped = False
        self.output = []
        self.on_progress = _PROGRESS_FN(lambda _, at: self._ask(progress, self._progress, at))
        self.on_launch = _LAUNCH_FN(lambda _, at: self._ask(launched, self._launch, at))
        self.on_output = _OUTPUT_FN(lambda _, text, size: self.output.append(ctypes.string_at(text, size)))

    @staticmethod
    def _progress(at):
        return Progress(*(getattr(at.contents, name) for name in Progress._fields))

    @staticmethod
    def _launch(at):
        values = [getattr(at.contents, name) for name in Launch._fields]
        return Launch(values[0].decode(), *values[1:])

    def _ask(self, function, view, at):
        try:
            self.stopped = self.stopped or bool(function and function(view(at)))
        except BaseException as error:  # pylint: disable=broad-except
            self.raised = error
        return int(self.stopped or self.raised is not None)


class _Interrupts:
    """Ctrl-C during a run is noted and raised after it. Python handles signals only while it executes something: the
    library calls on_progress for that. A handler of the user's own stays."""

    def __init__(self, callbacks):
        self.callbacks = callbacks
        self.before = None

    def _note(self, *_):
        self.callbacks.raised = KeyboardInterrupt()

    def __enter__(self):
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self.before = signal.signal(signal.SIGINT, self._note)

    def __exit__(self, *_):
        if self.before:
            signal.signal(signal.SIGINT, self.before)


class _Simulation:
    def __init__(self):
        self.handle = _lib.ww_simulation_create()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        _lib.ww_simulation_destroy(self.handle)

    def call(self, name, *arguments):
        return getattr(_lib, "ww_simulation_" + name)(self.handle, *arguments)

    def need(self, name, *arguments):
        if self.call(name, *arguments):
            raise InputError(self.errors())

    def errors(self):
        return self.call("errors").decode(errors="replace").rstrip("\n")


def _configure(simulation, machine, settings, seed, region, hints, max_instructions, verify, dump_dir, timeline):
    if not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise InputError(f"seed is {seed!r} (a whole number from 0 to 2**63 - 1 is needed)")
    if not isinstance(max_instructions, int) or not 0 <= max_instructions < 2**64:
        raise InputError(f"max_instructions is {max_instructions!r} (a whole number is needed; 0: no limit)")
    if machine is not None:
        simulation.need("machine", _bytes(machine, "machine"))
    for key, value in (settings or {}).items():
        simulation.need("set", _bytes(f"{key}={_value(value)}", "set"))
    simulation.call("seed", seed)
    simulation.call("limit", max_instructions)
    simulation.call("verify", int(verify))
    simulation.need("dump_dir", _optional(dump_dir, "dump_dir"))
    simulation.need("region", _optional(_pairs(region), "region"))
    for hint in [hints] if isinstance(hints, str) else hints or ():
        simulation.need("hint", _bytes(hint, "hints"))
    simulation.need("timeline", _optional(timeline, "timeline"))


def run(name, machine=None, set=None, size=None, seed=1, region=None, *, timed=True, hints=None, max_instructions=0,
        verify=True, dump_dir=None, timeline=None, progress=None, launched=None):
    """Runs a program of the catalogue or a launch file; returns its Result.

    machine   a preset's name or a YAML file; default: apu-isca18
    set       a dict of keys and values, as after -s
    size      as after --size, or a dict of parameters; region likewise, as after --region
    timed     False: values only, as `warpwalk exec`
    progress  called now and then with a Progress, launched after each launch with a Launch: what is true stops the run,
              and the Result has `complete` False
    Others are as the options of `warpwalk run`. Raises InputError or RunError.
    """
    if machine is None and timed:
        machine = DEFAULT_MACHINE
    callbacks = _Callbacks(progress, launched)
    with _Simulation() as simulation:
        _configure(simulation, machine, set, seed, region, hints, max_instructions, verify, dump_dir, timeline)
        simulation.call("on_progress", callbacks.on_progress, None)
        simulation.call("on_launch", callbacks.on_launch, None)
        simulation.call("on_output", callbacks.on_output, None)
        what = _bytes(name, "name"), _optional(_pairs(size), "size")
        with _Interrupts(callbacks):
            status = simulation.call("run" if timed else "exec", *what)
        text, errors = simulation.call("result"), simulation.errors()
    if callbacks.raised:
        raise callbacks.raised
    output = b"".join(callbacks.output).decode(errors="replace")
    result = Result(text.decode(), output) if text else None
    if status == 2:
        raise InputError(errors)
    if status and not callbacks.stopped:
        raise RunError(errors, result)
    return result


# ---- many runs ----


def _list(value):
    return list(value) if isinstance(value, (list, tuple, range)) else [value]


def _points(name, machine, settings, size, seed, region):
    """The arguments of each run, and the row that its numbers are added to; the last coordinate changes fastest."""
    keys = list(settings or {})
    axes = [_list(name), _list(machine), *(_list(settings[key]) for key in keys), _list(size), _list(region), _list(seed)]
    for workload, on, *values, of_size, part, number in itertools.product(*axes):
        chosen = dict(zip(keys, values))
        where = {"workload": str(workload), "machine": DEFAULT_MACHINE if on is None else str(on), **chosen,
                 "size": _pairs(of_size), "region": _pairs(part), "seed": number}
        yield where, {"name": str(workload), "machine": None if on is None else str(on), "set": chosen, "size": of_size,
                      "region": part, "seed": number}


def _run_apart(arguments):
    """In a process of its own; returns the result's object."""
    worker = subprocess.run([sys.executable or "python3", "-I", os.path.abspath(__file__)], input=json.dumps(arguments),
                            capture_output=True, encoding="utf-8", errors="replace", check=False,
                            env={**os.environ, "WARPWALK_LIBRARY": _path})
    try:
        answer = json.loads(worker.stdout)
    except ValueError:
        last = worker.stderr.strip().rpartition("\n")[2]
        raise RunError(f"the process of the run ended with status {worker.returncode}: {last}") from None
    if "result" in answer:
        return answer["result"]
    raise (InputError if answer["status"] == 2 else RunError)(answer["error"])


def _row(where, result, stats):
    numbers = {key: result[key] for key in ("cycles", "warp_instructions", "thread_instructions", "verified")}
    unknown = [key for key in stats or () if key not in result["stats"]]
    if unknown:
        raise InputError(f"no statistic '{unknown[0]}' in the result of {where['workload']} (warpwalk list stats)")
    chosen = result["stats"] if stats is None else {key: result["stats"][key] for key in stats}
    return {**where, **numbers, **chosen, "error": None}


def _frame(rows, frame):
    if frame is False:
        return rows
    try:
        import pandas
    except ImportError:
        if frame:
            raise
        return rows
    return pandas.DataFrame(rows)


def sweep(name, machine=None, set=None, size=None, seed=1, region=None, *, timed=True, hints=None, max_instructions=0,
          verify=True, stats=None, jobs=None, keep_going=False, progress=None, frame=None):
    """Runs a cross of settings, each run in a process of its own, and returns a row for each.

    Each of name, machine, size, seed, region and each value of `set` is one value or a list; all are crossed: the name
    changes slowest, then machine, keys, size, region, and the seed fastest. Rows are in this order, whatever ends first.
    stats       names of the statistics that rows have; default: all
    jobs        processes at once; default: one for each processor
    keep_going  a run that fails becomes a row with its `error`, and the others go on; else it is raised. Wrong input is
                always raised.
    progress    called with the number of runs that have ended and the number of all
    frame       True: a pandas.DataFrame; False: a list of dicts; None: the first if pandas is installed
    Others are as those of run. Files of `dump` are not written.
    """
    shared = {"timed": timed, "hints": hints, "max_instructions": max_instructions, "verify": verify, "dump_dir": ""}
    points = list(_points(name, machine, set, size, seed, region))
    with concurrent.futures.ThreadPoolExecutor(jobs or len(os.sched_getaffinity(0))) as pool:
        futures = [pool.submit(_run_apart, {**arguments, **shared}) for _, arguments in points]
        try:
            _wait(futures, keep_going, progress)
        finally:
            pool.shutdown(cancel_futures=True)
    # Those that were cancelled come after one that failed: runs begin in order.
    rows = [_take(where, future, stats, keep_going) for (where, _), future in zip(points, futures)]
    return _frame(rows, frame)


def _wait(futures, keep_going, progress):
    """Until all have ended, or one with an error that is raised."""
    for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
        if future.exception() and not (keep_going and isinstance(future.exception(), RunError)):
            return
        if progress:
            progress(done, len(futures))


def _take(where, future, stats, keep_going):
    try:
        return _row(where, future.result(), stats)
    except RunError as error:
        if keep_going:
            return {**where, "error": str(error)}
        raise


def _work():
    """The other end of _run_apart."""
    arguments = json.load(sys.stdin)
    try:
        answer = {"result": run(**arguments).json}
    except InputError as error:
        answer = {"status": 2, "error": str(error)}
    except RunError as error:
        answer = {"status": 1, "error": str(error)}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    try:
        _work()
    except KeyboardInterrupt:
        sys.exit(130)
