# SPDX-License-Identifier: GPL-2.0-or-later
"""Read archives in the Fuchsia trace format, with libfxt.

    import fxt

    with fxt.Reader('sched.fxt.zst') as reader:
        for record in reader:
            if record['kind'] == 'thread_wakeup':
                print(record['ns'], record['cpu'], record['waking_thread'])

A record is a dict with the members that `fxt dump --json` prints and that
`fxt dump --json-schema` describes, with these differences: integers of any size are int, doubles
are float, binary data is bytes, and names that come from other records are missing (those of
threads, objects and functions, and what a ledger means). Of the payload of a large BLOB it has the
first MiB; 'size' is the length of all of it.

Reader.switches() reads context switches as columns, without a dict for each:

    with fxt.Reader('sched.fxt.zst') as reader:
        table = pandas.concat([pandas.DataFrame(c) for c in reader.switches()])

polars.DataFrame(c) takes them as well. For tables of waits, states and more, run
`fxt convert --to parquet`, and read its files with pandas.read_parquet or polars.read_parquet.
"""
import array
import ctypes
import errno
import operator
import os
import threading

try:
    import numpy
except ImportError:
    numpy = None

__all__ = ['Error', 'Reader']


class Error(Exception):
    """The archive violates the format; the text has the byte offset."""


# --- structures of fxt_reader.h ------------------------------------------------------------------
# A test compares them with the header. Pointers are valid until the reader goes on, so that what
# they point to is copied at once.


def _fields(spec):
    """_fields_ by 'TYPE NAME, TYPE NAME, ...'"""
    return [(name, _TYPES[type_]) for type_, name in (f.split() for f in spec.split(','))]


_TYPES = {
    'pointer': ctypes.c_void_p, 'bool': ctypes.c_bool, 'double': ctypes.c_double,
    'size': ctypes.c_size_t, 'int': ctypes.c_int, 'u8': ctypes.c_uint8, 'u16': ctypes.c_uint16,
    'u32': ctypes.c_uint32, 'u64': ctypes.c_uint64, 'i32': ctypes.c_int32, 'i64': ctypes.c_int64,
}


class _Options(ctypes.Structure):
    _fields_ = _fields('bool strict, bool format_2017, size max_table_bytes, pointer deviation, '
                       'pointer skipped, pointer arg, pointer progress, pointer progress_arg')


class _Text(ctypes.Structure):
    _fields_ = _fields('pointer bytes, u16 length, u16 ref, u16 known')


class _Bytes(ctypes.Structure):
    _fields_ = _fields('pointer data, u64 bytes')


class _ThreadId(ctypes.Structure):
    _fields_ = _fields('u64 process, u64 thread, u8 ref')


_TYPES.update(text=_Text, bytes=_Bytes, thread_id=_ThreadId)


class _Value(ctypes.Union):
    _fields_ = _fields('i64 i64, u64 u64, double f64, text text, bytes blob')


class _Arg(ctypes.Structure):
    _anonymous_ = ['value']
    _fields_ = [*_fields('text name, u8 type'), ('value', _Value), ('extra', _Bytes)]


class _Provider(ctypes.Structure):
    _fields_ = _fields('u32 id, text name, u64 ticks_per_second, bool known')


class _Record(ctypes.Structure):
    _fields_ = [*_fields('u64 offset, u64 number, pointer words, u64 size, u32 held, u16 kind, '
                         'u8 type'), ('provider', ctypes.POINTER(_Provider))]


class _Switch(ctypes.Structure):
    _fields_ = _fields('u64 time, u64 out, u64 in, i32 out_weight, i32 in_weight, u16 cpu, '
                       'u8 state, u8 letter, bool has_out_weight, bool has_in_weight, '
                       'bool bad_weight, u8 unknown')


class _Wakeup(ctypes.Structure):
    _fields_ = _fields('u64 time, u64 thread, u64 waker, u64 interrupted, i32 weight, u16 cpu, '
                       'u8 irq, bool has_weight, bool has_waker, bool has_irq, '
                       'bool has_interrupted, bool bad_weight, bool bad_waker, bool bad_irq, '
                       'u8 unknown')


class _LegacySwitch(ctypes.Structure):
    _fields_ = _fields('thread_id out, thread_id in, u8 cpu, u8 state, u8 out_priority, '
                       'u8 in_priority')


def _group(spec):
    """An anonymous structure of a union."""
    return type('_Group', (ctypes.Structure,), {'_fields_': _fields(spec)})


class _Fields(ctypes.Union):
    _anonymous_ = ['provider', 'payload', 'an_object', 'module', 'backtrace']
    _fields_ = [('provider', _group('u32 provider_id, u8 event')),
                *_fields('u64 ticks_per_second, u16 index, u64 end, u64 id'),
                ('payload', _group('bytes blob, u64 blob_held, u8 blob_type')),
                ('an_object', _group('u64 object, u8 object_type')),
                ('sw', _Switch), ('wakeup', _Wakeup), ('legacy', _LegacySwitch),
                ('module', _group('u16 module_id, u8 flags, bytes build_id, u64 start, u64 range, '
                                  'u64 vaddr')),
                ('backtrace', _group('u8 frame_count, u32 frame_flags'))]


class _Content(ctypes.Structure):
    _anonymous_ = ['fields']
    _fields_ = [*_fields('int kind, u64 time, thread_id thread, text category, text name'),
                ('fields', _Fields), ('extra', _Bytes), ('arg_count', ctypes.c_uint),
                ('args', _Arg * 15), ('frames', ctypes.c_uint64 * 255)]


class _Totals(ctypes.Structure):
    _fields_ = _fields('u64 bytes, u64 records, u64 skipped, u64 skipped_bytes, u64 deviations')


# --- the library ---------------------------------------------------------------------------------

def _library():
    lib = ctypes.CDLL('libfxt.so.0')
    reader, record = ctypes.c_void_p, ctypes.POINTER(_Record)
    for name, result, *arguments in (
            ('open', ctypes.c_int, ctypes.POINTER(reader), ctypes.c_char_p,
             ctypes.POINTER(_Options)),
            ('close', None, reader),
            ('next', ctypes.c_int, reader, record),
            ('content', ctypes.c_int, reader, record, ctypes.POINTER(_Content)),
            ('switches', ctypes.c_int, reader, ctypes.POINTER(_Switch),
             ctypes.POINTER(ctypes.c_size_t)),
            ('error', ctypes.c_char_p, reader),
            ('totals', ctypes.POINTER(_Totals), reader)):
        function = getattr(lib, 'fxt_reader_' + name)
        function.restype = result
        function.argtypes = arguments
    lib.fxt_kind_name.restype = ctypes.c_char_p
    lib.fxt_kind_has_time.restype = ctypes.c_bool
    return lib


_lib = _library()

# --- records as dicts ----------------------------------------------------------------------------

_OWNER = 'process=thread.process thread=thread.thread '
_EVENT = _OWNER + 'category name args '
_CORRELATED = _EVENT + 'correlation_id=id'

# By kind in the order of FXT_KINDS: KEY=FIELD, or KEY for both.
_KINDS = {
    'unknown': '',
    'provider_info': 'provider_id name',
    'provider_section': 'provider_id',
    'provider_event': 'provider_id event',
    'magic': '',
    'initialization': 'ticks_per_second',
    'string': 'index value=name',
    'thread': 'index ' + _OWNER,
    'instant': _EVENT,
    'counter': _EVENT + 'counter_id=id',
    'duration_begin': _EVENT,
    'duration_end': _EVENT,
    'duration_complete': _EVENT + 'end_ticks=end',
    'async_begin': _CORRELATED,
    'async_instant': _CORRELATED,
    'async_end': _CORRELATED,
    'flow_begin': _CORRELATED,
    'flow_step': _CORRELATED,
    'flow_end': _CORRELATED,
    'blob': 'name blob_type size=blob.bytes payload',
    'userspace_object': 'pointer=object process=thread.process name args',
    'kernel_object': 'koid=object object_type name args',
    'legacy_context_switch': 'cpu=legacy.cpu outgoing_state=legacy.state '
                             'outgoing_process=legacy.out.process '
                             'outgoing_thread=legacy.out.thread '
                             'incoming_process=legacy.in.process '
                             'incoming_thread=legacy.in.thread '
                             'outgoing_priority=legacy.out_priority '
                             'incoming_priority=legacy.in_priority',
    'context_switch': 'cpu=sw.cpu outgoing_state=sw.state outgoing_thread=sw.out '
                      'incoming_thread=sw.in args',
    'thread_wakeup': 'cpu=wakeup.cpu waking_thread=wakeup.thread args',
    'log': _OWNER + 'message=name',
    'module': _OWNER + 'module_id name build_id',
    'mmap': _OWNER + 'module_id flags start_address=start address_range=range vaddr',
    'backtrace': _OWNER + 'flags=frame_flags frames',
    'large_blob': _EVENT + 'size=blob.bytes payload',
    'large_blob_no_metadata': 'category name size=blob.bytes payload',
}

_ARG_TYPES = ('null', 'int32', 'uint32', 'int64', 'uint64', 'double', 'string', 'pointer', 'koid',
              'bool', 'blob')
_ARG_VALUES = {'int32': 'i64', 'int64': 'i64', 'double': 'f64', 'string': 'text', 'blob': 'blob'}


def _plain(value):
    if isinstance(value, _Text):
        return ctypes.string_at(value.bytes, value.length).decode('utf-8', 'replace')
    if isinstance(value, _Bytes):
        return ctypes.string_at(value.data, value.bytes) if value.bytes else b''
    return value


def _argument(arg):
    kind = _ARG_TYPES[arg.type] if arg.type < len(_ARG_TYPES) else 'unknown'
    value = None
    if kind not in ('null', 'unknown'):
        value = _plain(getattr(arg, _ARG_VALUES.get(kind, 'u64')))
    return {'name': _plain(arg.name), 'type': kind, 'value': value != 0 if kind == 'bool' else value}


def _payload(content):
    return ctypes.string_at(content.blob.data, content.blob_held) if content.blob_held else b''


_COMPUTED = {
    'args': lambda c: [_argument(c.args[i]) for i in range(c.arg_count)],
    'frames': lambda c: c.frames[:c.frame_count],
    'payload': _payload,
}


def _getters(members):
    """[(key, function of the content), ...]"""
    pairs = (m.partition('=') for m in members.split())
    return [(key, _COMPUTED.get(key) or operator.attrgetter(field or key))
            for key, _, field in pairs]


_MEMBERS = [(kind, kind == 'large_blob' or _lib.fxt_kind_has_time(number), _getters(members))
            for number, (kind, members) in enumerate(_KINDS.items())]


def _ns(ticks, record):
    return ticks * 10**9 // record.provider.contents.ticks_per_second % 2**64


def _unknown(record):
    """What is known of a record of an undefined kind."""
    held = min(record.held, 4095) * 8
    return {'type': record.type, 'words': record.size,
            'data': ctypes.string_at(record.words, held)}


def _dict(record, content):
    kind, has_time, getters = _MEMBERS[record.kind]
    result = {'offset': record.offset, 'record': record.number, 'kind': kind,
              'provider': record.provider.contents.id}
    if content is None:
        return {**result, **_unknown(record)}
    if has_time:
        result.update(ticks=content.time, ns=_ns(content.time, record))
    for key, get in getters:
        result[key] = _plain(get(content))
    if kind == 'duration_complete':
        result['end_ns'] = _ns(content.end, record)
    return result


# --- the reader ----------------------------------------------------------------------------------

# Numbers of struct fxt_switch, with their types in an array.array.
_COLUMNS = {'time': 'Q', 'cpu': 'H', 'out': 'Q', 'in': 'Q', 'state': 'B', 'letter': 'B',
            'out_weight': 'i', 'in_weight': 'i', 'unknown': 'B'}


def _columns(switches, count):
    if numpy:
        rows = numpy.frombuffer(switches, numpy.dtype(_Switch), count)
        return {name: rows[name] for name in _COLUMNS}
    return {name: array.array(type_, (getattr(switches[i], name) for i in range(count)))
            for name, type_ in _COLUMNS.items()}


class Reader:
    """The records of an archive, in order; plain or compressed, of either byte order.

    path:   of the archive; '-' is standard input
    strict: raise Error at the first deviation from the format; else what makes no sense is skipped
            and counted in totals

    Iterating and switches() continue from the same place. A reader serves one thread at a time;
    others wait. It does not survive a fork.
    """

    def __init__(self, path, strict=False):
        self._reader = ctypes.c_void_p()
        self._lock = threading.Lock()
        self._record = _Record()
        self._content = _Content()
        self._strict = strict
        name = os.fsencode(path)
        if b'\0' in name:
            raise ValueError('embedded null byte in the path')
        ret = _lib.fxt_reader_open(self._reader, name, _Options(strict=strict))
        if ret:
            try:
                self._raise(ret, path)
            finally:
                self.close()

    def _raise(self, ret, path=None):
        """Raise what a negative result of the library means."""
        if -ret == errno.EBADMSG:
            raise Error(_lib.fxt_reader_error(self._reader).decode('utf-8', 'replace'))
        if -ret == errno.ENOMEM:
            raise MemoryError
        raise OSError(-ret, os.strerror(-ret), path)

    def _check_open(self):
        if not self._reader:
            raise ValueError('the reader is closed, or has failed')

    def _fail(self, ret):
        """Nothing can be read after an error."""
        try:
            self._raise(ret)
        finally:
            self._close()

    def _close(self):
        reader, self._reader = self._reader, ctypes.c_void_p()
        _lib.fxt_reader_close(reader)

    def close(self):
        """Free the library's memory; dicts and columns remain valid."""
        with self._lock:
            self._close()

    def __del__(self):
        if getattr(self, '_reader', None):
            self._close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __iter__(self):
        return self

    def __next__(self):
        with self._lock:
            self._check_open()
            while True:
                ret = _lib.fxt_reader_next(self._reader, self._record)
                if not ret:
                    raise StopIteration
                if ret > 0:
                    ret = _lib.fxt_reader_content(self._reader, self._record, self._content)
                    if not ret:
                        return _dict(self._record, self._content)
                    if -ret == errno.ENOTSUP:
                        return _dict(self._record, None)
                    if -ret == errno.EBADMSG and not self._strict:
                        continue
                self._fail(ret)

    def switches(self, most=65536):
        """Yield the next context switches, at most this many at once, as {name: column}.

        A column is an array of numpy if that is installed, in the memory that the library has
        filled; else an array.array. 'time' is in ns, 'out' and 'in' are koids, 'letter' is the
        ASCII code of the argument "state" (0: none). 'unknown' is not 0 if the record is not of an
        ordinary switch: fxt_unknown.h and fxt_mark.h describe these. Other records are skipped.
        """
        if most < 1:
            raise ValueError('switches() needs room for at least one')
        ret = 1
        while ret > 0:
            switches = (_Switch * most)()
            count = ctypes.c_size_t(most)
            with self._lock:
                self._check_open()
                ret = _lib.fxt_reader_switches(self._reader, switches, count)
            if count.value:
                yield _columns(switches, count.value)
        if ret:
            with self._lock:
                self._check_open()
                self._fail(ret)

    @property
    def totals(self):
        """Counters so far: bytes (decompressed), records, skipped, skipped_bytes, deviations."""
        with self._lock:
            self._check_open()
            totals = _lib.fxt_reader_totals(self._reader).contents
            return {name: getattr(totals, name) for name, _ in _Totals._fields_}
