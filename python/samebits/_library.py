"""libsamebits by ctypes: its functions (include/samebits.h), a status turned into an exception, and two handles."""
import ctypes as c
import functools
import os
import pathlib

DTYPES = ("float32", "float64", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "int8", "int16", "int32", "int64",
          "uint8", "uint16", "uint32", "uint64", "bool", "complex64", "complex128")
DTYPE_NUMBER = {name: number for number, name in enumerate(DTYPES)}
ELEMENT_BYTES = (4, 8, 2, 2, 1, 1, 1, 2, 4, 8, 1, 2, 4, 8, 1, 8, 16)

BATCH, GRADIENT, OPTIMIZER, WEIGHTS, STATE, GENERATOR = range(6)
PARTS = ("batch", "gradient", "optimiser", "weights", "state", "generator")
PART_WORDS = tuple(name.replace("optimiser", "optimizer") for name in PARTS)  # in sentences; PARTS are names in the file
FORWARD, BACKWARD, STEP = range(3)
WRITTEN, CHANGED, UNINITIALISED, NO_HASH = 1, 2, 4, 8
OK, DIFFERS, IO, MEMORY, USAGE = range(5)
EMPTY, INTEGRITY = 7, 9
DIMS_MAX = 8
COLUMN_MOST = 60  # characters of a column's name
NO_TENSOR = bytes(16)
SKETCH_NUMBERS = 17


class Error(Exception):
    """A call of the library failed; status is the number of sb_status, the text is its sentence."""

    def __init__(self, status, sentence):
        super().__init__(sentence)
        self.status = status


class Hash(c.Structure):
    _fields_ = [("byte", c.c_uint8 * 16)]


class View(c.Structure):
    _fields_ = [("data", c.c_void_p), ("dtype", c.c_int), ("n_dims", c.c_int), ("shape", c.POINTER(c.c_int64)),
                ("strides", c.POINTER(c.c_int64))]


class Options(c.Structure):
    _fields_ = [("program", c.c_char_p), ("resume", c.c_bool), ("every", c.c_int64), ("checkpoint_seconds", c.c_double)]


class Report(c.Structure):
    _fields_ = [("update", c.c_int64)] + [(name, c.c_char_p) for name in ("kind", "operation", "site", "tensor", "module", "text")]


class TracedTensor(c.Structure):
    _fields_ = [(name, c.c_char_p) for name in ("role", "name", "dtype", "shape", "layout", "device")] + [
        ("flags", c.c_uint), ("writer", c.c_int64), ("hash", Hash), ("sketch", c.c_void_p), ("kept", c.c_void_p),
        ("n_kept", c.c_size_t)]


class TracedRow(c.Structure):
    _fields_ = [(name, c.c_char_p) for name in ("operation", "module", "site", "arguments", "node")] + [
        ("phase", c.c_int), ("forward_row", c.c_int64), ("mark", c.c_bool), ("error", c.c_double), ("executions", c.c_int),
        ("other_results", c.c_int), ("n", c.c_size_t), ("tensor", c.POINTER(TracedTensor))]


_HANDLE, _TEXT, _VIEW = c.c_void_p, c.c_char_p, c.POINTER(View)
_FUNCTIONS = {  # name: (result, arguments)
    "sb_message": (_TEXT, ()),
    "sb_library_version": (_TEXT, ()),
    "sb_view_hash": (Hash, (_VIEW,)),
    "sb_view_canonical": (Hash, (_VIEW,)),
    "sb_view_samples": (Hash, (_VIEW,)),
    "sb_hash_list": (Hash, (c.c_void_p, c.c_size_t)),
    "sb_hash_from_device": (Hash, (c.c_void_p, c.c_size_t, c.c_void_p, c.c_size_t)),
    "sb_numbers_hash": (Hash, (c.c_void_p, c.c_int, c.c_size_t)),
    "sb_numbers_sketch": (None, (c.c_void_p, c.c_int, c.c_size_t, c.c_void_p)),
    "sb_recording_open": (c.c_int, (c.POINTER(_HANDLE), _TEXT, c.POINTER(Options))),
    "sb_recording_setting": (c.c_int, (_HANDLE, _TEXT, _TEXT)),
    "sb_recording_fact": (c.c_int, (_HANDLE, _TEXT, _TEXT)),
    "sb_recording_names": (c.c_int, (_HANDLE, c.c_int, c.c_size_t, c.POINTER(_TEXT))),
    "sb_recording_settings_at": (c.c_int, (_HANDLE, c.c_int64, _TEXT)),
    "sb_recording_last": (c.c_int64, (_HANDLE,)),
    "sb_recording_where": (c.c_int64, (_HANDLE,)),
    "sb_recording_resumed": (c.c_int, (_HANDLE, c.c_int64, c.POINTER(c.c_uint))),
    "sb_recording_report": (c.c_int, (_HANDLE, c.POINTER(Report))),
    "sb_recording_event": (c.c_int, (_HANDLE, _TEXT)),
    "sb_recording_incomplete": (c.c_int, (_HANDLE, _TEXT)),
    "sb_recording_checkpoint": (c.c_int, (_HANDLE,)),
    "sb_recording_close": (c.c_int, (_HANDLE, c.c_bool)),
    "sb_link_begin": (c.c_int, (_HANDLE, c.c_int64)),
    "sb_link_tensor": (c.c_int, (_HANDLE, c.c_int, c.c_int32, _VIEW)),
    "sb_link_hash": (c.c_int, (_HANDLE, c.c_int, c.c_int32, Hash)),
    "sb_link_forms": (c.c_int, (_HANDLE, c.c_int32, Hash, Hash)),
    "sb_link_value": (c.c_int, (_HANDLE, _TEXT, c.c_double)),
    "sb_link_end": (c.c_int, (_HANDLE,)),
    "sb_tracing_open": (c.c_int, (c.POINTER(_HANDLE), _TEXT, c.c_int64, _TEXT)),
    "sb_tracing_settings": (c.c_int, (_HANDLE, _TEXT)),
    "sb_tracing_row_add": (c.c_int, (_HANDLE, c.POINTER(TracedRow))),
    "sb_tracing_close": (c.c_int, (_HANDLE, c.c_bool)),
}


def _find():
    """The library that SAMEBITS_LIBRARY names, else the one in this package."""
    named = os.environ.get("SAMEBITS_LIBRARY")
    return named if named else str(pathlib.Path(__file__).parent / "libsamebits.so")


def _load():
    path = _find()
    try:
        loaded = c.CDLL(path)
    except OSError as error:
        raise ImportError(f"{path}: libsamebits cannot be loaded ({error}); 'make wheel' builds a package that contains it, or "
                          "set SAMEBITS_LIBRARY to the path of libsamebits.so") from None
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(loaded, name)
        function.restype, function.argtypes = result, arguments
    return loaded


lib = _load()


def library_version():
    return lib.sb_library_version().decode()


def check(status):
    if status != OK:
        raise Error(status, lib.sb_message().decode(errors="replace"))


@functools.lru_cache(4096)
def _text(value):
    return value.replace("\0", " ").encode("utf-8", "replace")


def text(value):
    """A text for the library: UTF-8 without NUL. Those of a trace are few, and each is needed often."""
    if type(value) is str:
        return _text(value)
    return str(value).replace("\0", " ").encode("utf-8", "surrogateescape" if isinstance(value, os.PathLike) else "replace")


def path_text(path):
    """Absolute: the program may change to another folder while the file is open."""
    return os.fsencode(os.path.abspath(os.fspath(path)))


def view(address, dtype, shape, strides=None):
    """A View, which keeps the arrays that it points to."""
    n = len(shape)
    sizes = (c.c_int64 * n)(*shape)
    steps = None if strides is None else (c.c_int64 * n)(*strides)
    result = View(address, dtype, n, sizes, steps)
    result.kept = (sizes, steps)
    return result


def as_bytes(value):
    return bytes(value)


def as_hash(value):
    return Hash.from_buffer_copy(value)


def hash_view(described):
    result = as_bytes(lib.sb_view_hash(c.byref(described)))
    if result == NO_TENSOR:
        raise Error(USAGE, lib.sb_message().decode(errors="replace"))
    return result


def hash_numbers(address, dtype, n):
    """Of n numbers that lie dense."""
    return bytes(lib.sb_numbers_hash(address, dtype, n))


def hash_list(hashes):
    joined = b"".join(hashes)
    return as_bytes(lib.sb_hash_list(joined, len(hashes)))


def sketch(address, dtype, n):
    """Norm and count sketch of n dense numbers, float32 or float64: an array that the library can take."""
    result = (c.c_double * SKETCH_NUMBERS)()
    lib.sb_numbers_sketch(address, dtype, n, result)
    return result


class Recording:
    """A recording that is written: sb_recording of samebits.h. `close` ends it."""

    def __init__(self, path, program, resume=False, every=1, checkpoint_seconds=60):
        self._handle = None
        handle = _HANDLE()
        check(lib.sb_recording_open(c.byref(handle), path_text(path), Options(text(program), resume, every, checkpoint_seconds)))
        self._handle, self.path = handle, os.fspath(path)

    def setting(self, name, value):
        check(lib.sb_recording_setting(self._handle, text(name), text(value)))

    def fact(self, name, value):
        check(lib.sb_recording_fact(self._handle, text(name), text(value)))

    def names(self, part, names):
        array = (_TEXT * len(names))(*[text(name) for name in names])
        check(lib.sb_recording_names(self._handle, part, len(names), array))

    def settings_at(self, update, settings):
        check(lib.sb_recording_settings_at(self._handle, update, text(settings)))

    def last(self):
        return lib.sb_recording_last(self._handle)

    def where(self):
        return lib.sb_recording_where(self._handle)

    def begin(self, update):
        check(lib.sb_link_begin(self._handle, update))

    def hash(self, part, index, value):
        check(lib.sb_link_hash(self._handle, part, index, as_hash(value)))

    def forms(self, index, canonical, samples):
        check(lib.sb_link_forms(self._handle, index, as_hash(canonical), as_hash(samples)))

    def value(self, column, value):
        check(lib.sb_link_value(self._handle, text(column), value))

    def end(self):
        check(lib.sb_link_end(self._handle))

    def resumed(self, update):
        """The names of the parts that differ from what was recorded after that update."""
        parts = c.c_uint()
        status = lib.sb_recording_resumed(self._handle, update, c.byref(parts))
        if status not in (OK, DIFFERS):
            check(status)
        return [PART_WORDS[p] for p in range(6) if parts.value >> p & 1]

    def report(self, update, kind, operation="", site="", tensor="", module="", sentence=""):
        check(lib.sb_recording_report(self._handle, Report(update, *map(text, (kind, operation, site, tensor, module, sentence)))))

    def event(self, sentence):
        check(lib.sb_recording_event(self._handle, text(sentence)))

    def incomplete(self, reason):
        check(lib.sb_recording_incomplete(self._handle, text(reason)))

    def checkpoint(self):
        check(lib.sb_recording_checkpoint(self._handle))

    def close(self, complete):
        handle, self._handle = self._handle, None
        if handle:
            check(lib.sb_recording_close(handle, complete))


class Tracing:
    """A trace that is written: sb_tracing of samebits.h."""

    def __init__(self, path, update, program):
        self._handle = None
        handle = _HANDLE()
        check(lib.sb_tracing_open(c.byref(handle), path_text(path), update, text(program)))
        self._handle = handle

    def settings(self, settings):
        check(lib.sb_tracing_settings(self._handle, text(settings)))

    def row(self, operation, module, site, arguments, node, phase, forward_row, mark, error, executions, other_results, tensors):
        """tensors: tuples (role, name, dtype, shape, layout, device, flags, writer, hash, sketch, (address, n) of kept numbers);
        the last two may be None"""
        array = (TracedTensor * len(tensors))()
        for at, (role, name, dtype, shape, layout, device, flags, writer, value, sketch_of, kept) in zip(array, tensors):
            at.role, at.name, at.dtype, at.shape = text(role), text(name), text(dtype), text(shape)
            at.layout, at.device, at.flags, at.writer, at.hash = text(layout), text(device), flags, writer, as_hash(value)
            at.sketch = None if sketch_of is None else c.addressof(sketch_of)
            at.kept, at.n_kept = (None, 0) if kept is None else kept
        check(lib.sb_tracing_row_add(self._handle, TracedRow(
            text(operation), text(module), text(site), text(arguments), text(node), phase, forward_row, mark, error, executions,
            other_results, len(tensors), array)))

    def close(self, whole):
        handle, self._handle = self._handle, None
        if handle:
            check(lib.sb_tracing_close(handle, whole))
