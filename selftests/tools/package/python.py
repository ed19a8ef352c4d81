# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of collector/python/fxt.py. In: a directory with archives, more archives. Out: TAP."""
import base64
import ctypes
import json
import math
import os
import random
import re
import struct
import subprocess
import sys
import traceback

import fxt

directory, *vectors = sys.argv[1:]
all_fxt, swapped, sched = (f'{directory}/{name}.fxt' for name in ('all', 'swapped', 'sched'))


def c_name(structure):
    return 'fxt' + re.sub('[A-Z]', lambda m: '_' + m[0].lower(), structure.__name__[1:])


class _Slice(ctypes.Structure):
    _fields_ = fxt._fields('u64 start, u64 end, u64 process, u64 thread, u16 category, u16 name, '
                           'u16 arg_name, u32 arg')


class _Deviation(ctypes.Structure):
    _fields_ = fxt._fields('u64 offset, u64 record, int kind, bool lost, bool note, pointer field, '
                           'pointer text')


class _Hot(ctypes.Structure):
    _fields_ = fxt._fields('u64 offset, u64 time, u64 thread, u64 other, i32 weight, u16 cpu, '
                           'u8 is_wakeup, u8 state, i32 out_weight')


class _HotRun(ctypes.Structure):
    _fields_ = fxt._fields('pointer words, u64 offset, size count')


class _SchedRun(ctypes.Structure):
    _fields_ = fxt._fields('pointer words, pointer end, size count')


class _HotEnd(ctypes.Structure):
    _fields_ = fxt._fields('bool has_other, u8 state, u8 irq')


def structures():
    """The structures that have a name in C: those of the module, and those that it does not need."""
    special = {'_Options': 'fxt_reader_options', '_Totals': 'fxt_reader_totals'}
    return {special.get(name, c_name(value)): value for name, value in {**vars(fxt), **globals()}.items()
            if isinstance(value, type) and issubclass(value, ctypes.Structure)}


def leaves(structure, offset=0):
    """(NAME, OFFSET, SIZE) of each field; anonymous members are those of the structure."""
    anonymous = getattr(structure, '_anonymous_', ())
    for name, type_ in structure._fields_:
        field = getattr(structure, name)
        if name in anonymous:
            yield from leaves(type_, offset + field.offset)
        else:
            yield name, offset + field.offset, field.size


def layout_in_c():
    """What leaves() gives, as the compiler sees it."""
    lines = []
    for name, structure in structures().items():
        lines.append(f'printf("{name} %zu\\n", sizeof(struct {name}));')
        for field, _, _ in leaves(structure):
            lines.append(f'printf("{name}.{field} %zu %zu\\n", offsetof(struct {name}, {field}), '
                         f'sizeof(((struct {name} *)0)->{field}));')
    source = ('#include <stddef.h>\n#include <stdio.h>\n#include <libfxt/fxt_reader.h>\n'
              '#include <libfxt/fxt_writer.h>\n'
              'int main(void)\n{\n' + '\n'.join(lines) + '\nreturn 0;\n}\n')
    subprocess.run(['cc', '-I../include', '-I../collector', '-x', 'c', '-o', f'{directory}/layout',
                    '-'], input=source, text=True, check=True)
    return subprocess.run([f'{directory}/layout'], stdout=subprocess.PIPE, text=True,
                          check=True).stdout.splitlines()


def structures_are_those_of_the_header():
    defined = set()
    for header in ('fxt_reader.h', 'fxt_writer.h'):
        with open(f'../collector/libfxt/{header}', encoding='utf-8') as file:
            defined |= set(re.findall(r'^struct (\w+) \{', file.read(), re.MULTILINE))
    equal(sorted(structures()), sorted(defined))
    expected = []
    for name, structure in structures().items():
        expected.append(f'{name} {ctypes.sizeof(structure)}')
        expected += [f'{name}.{field} {offset} {size}' for field, offset, size in leaves(structure)]
    # A difference changes the ABI: raise the number of libfxt.so.0, and correct fxt.py.
    equal(layout_in_c(), expected)


def kinds_are_those_of_the_library():
    for number, kind in enumerate(fxt._KINDS):
        equal(fxt._lib.fxt_kind_name(number).decode(), kind)
    equal(fxt._lib.fxt_kind_name(len(fxt._KINDS)).decode(), 'unknown')


def equal(got, expected):
    if isinstance(got, list) and len(got) == len(expected):
        got, expected = zip(*[p for p in zip(got, expected) if p[0] != p[1]] or [((), ())])
    if got != expected:
        raise AssertionError(f'got {str(got)[:2000]}, expected {str(expected)[:2000]}')


def as_json(value):
    """A value of a record, as fxt dump --json prints it."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, float) and not math.isfinite(value):
        return {math.inf: 'Infinity', -math.inf: '-Infinity'}.get(value, 'NaN')
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        return str(value)
    if isinstance(value, dict):
        return {key: as_json(v) for key, v in value.items()}
    if isinstance(value, list):
        return [as_json(v) for v in value]
    # How many U+FFFD stand for what is no UTF-8 is up to the program.
    return re.sub('\ufffd+', '\ufffd', value) if isinstance(value, str) else value


FROM_OTHERS = {'thread_name', 'outgoing_name', 'incoming_name', 'waking_name', 'waker_name',
               'functions', 'ledger'}


def dumped(path):
    """What fxt dump says of an archive, as far as the module knows it."""
    run = subprocess.run([os.environ['FXT_TOOL'], 'dump', '--json', path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False)
    for line in run.stdout.decode('utf-8', 'replace').splitlines():
        record = json.loads(line)
        if record['kind'] == 'malformed':
            continue
        for arg in record.get('args', ()):
            arg.pop('object', None)
        yield as_json({key: v for key, v in record.items() if key not in FROM_OTHERS})


def listed(record):
    record = dict(record)
    if record['kind'] == 'backtrace' and not record['flags']:
        del record['flags']
    return as_json(record)


def compare_with_dump(path):
    """Return the kinds of records that the archive has."""
    kinds = set()
    with fxt.Reader(path) as reader:
        expected = dumped(path)
        for record in reader:
            got, other = listed(record), next(expected, None)
            if len(record.get('payload', b'')) < record.get('size', 0):
                length = len(got['payload']) // 4 * 4 - 4
                assert length > 2**20
                got['payload'], other['payload'] = got['payload'][:length], other['payload'][:length]
            equal(got, other)
            kinds.add(record['kind'])
        equal(next(expected, None), None)
    return kinds


def records_are_those_of_dump():
    kinds = set()
    undefined = damaged('undefined', contents(sched) + struct.pack('=QQ', 12 | 2 << 4, 1))
    for path in (all_fxt, swapped, sched, undefined, *vectors):
        found = compare_with_dump(path)
        assert found, path
        kinds |= found
    equal(sorted(set(fxt._KINDS) - kinds), [])


def switch_of(record):
    args = {arg['name']: arg['value'] for arg in record['args']}
    return (record['ns'], record['cpu'], record['outgoing_thread'], record['incoming_thread'],
            record['outgoing_state'], ord(args.get('state') or '\0'),
            args.get('outgoing_weight', 0), args.get('incoming_weight', 0))


def compare_switches(most):
    for path in (sched, 'vectors/hog_all_along.fxt.zst', 'vectors/fxt/fuchsia_builder.fxt'):
        with fxt.Reader(path) as reader:
            expected = [switch_of(r) for r in reader if r['kind'] == 'context_switch']
        got = []
        with fxt.Reader(path) as reader:
            for columns in reader.switches(most):
                assert 1 <= len(columns['time']) <= most
                got += zip(*(columns[name].tolist() for name in
                             ('time', 'cpu', 'out', 'in', 'state', 'letter', 'out_weight',
                              'in_weight')))
        equal(got, expected)


def switches_are_columns():
    compare_switches(1)
    compare_switches(1000)
    compare_switches(65536)


def switches_need_no_numpy():
    had, fxt.numpy = fxt.numpy, None
    try:
        compare_switches(1000)
    finally:
        fxt.numpy = had


def columns_are_not_copied():
    if not fxt.numpy:
        return 'python3-numpy is not installed'
    with fxt.Reader(sched) as reader:
        columns = next(reader.switches())
    assert not columns['time'].flags.owndata
    equal(columns['time'].strides, (ctypes.sizeof(fxt._Switch),))
    return None


def raises(kind, text, function, *arguments):
    try:
        function(*arguments)
    except kind as error:
        assert text in str(error), error
        return
    raise AssertionError(f'no {kind.__name__}')


def contents(path, most=-1):
    with open(path, 'rb') as file:
        return file.read(most)


def damaged(name, data):
    path = f'{directory}/{name}.fxt'
    with open(path, 'wb') as file:
        file.write(data)
    return path


def errors_are_exceptions():
    raises(FileNotFoundError, 'missing.fxt', fxt.Reader, f'{directory}/missing.fxt')
    raises(ValueError, 'null byte', fxt.Reader, f'{sched}\0.fxt')
    raises(fxt.Error, 'this is a text', fxt.Reader, damaged('text', b'Hello, this is a text.'))
    cut = damaged('cut', contents(sched)[:-4])
    raises(fxt.Error, 'byte ', list, fxt.Reader(cut, strict=True))
    raises(fxt.Error, 'byte ', list, fxt.Reader(cut, strict=True).switches())
    raises(fxt.Error, 'byte ', list, fxt.Reader('vectors/fxt/arg_size_long_counter.fxt', strict=True))
    reader = fxt.Reader(cut)
    records = sum(1 for _ in reader)
    assert records > 1000 and reader.totals['deviations'] > 0, reader.totals
    reader.close()
    reader.close()
    raises(ValueError, 'closed', next, reader)
    raises(ValueError, 'closed', next, reader.switches())
    raises(ValueError, 'closed', lambda: reader.totals)
    failed = fxt.Reader(cut, strict=True)
    raises(fxt.Error, 'byte ', list, failed)
    raises(ValueError, 'failed', next, failed)
    raises(ValueError, 'at least one', next, fxt.Reader(sched).switches(0))


def damage_is_skipped():
    """Archives with bits flipped give the records that dump gives, or the same failure."""
    chance = random.Random(1)
    data = contents(all_fxt, 200000)
    for number in range(20):
        copy = bytearray(data)
        for _ in range(50):
            copy[chance.randrange(16, len(copy))] ^= 1 << chance.randrange(8)
        path = damaged('flipped', copy)
        compare_with_dump(path)
        with fxt.Reader(path) as reader:
            assert sum(len(c['time']) for c in reader.switches()) < 10000


def main():
    tests = (structures_are_those_of_the_header, kinds_are_those_of_the_library,
             records_are_those_of_dump, switches_are_columns, switches_need_no_numpy,
             columns_are_not_copied, errors_are_exceptions, damage_is_skipped)
    print('TAP version 13', f'1..{len(tests)}', sep='\n')
    failed = False
    for number, test in enumerate(tests, 1):
        name = test.__name__.replace('_', ' ')
        try:
            skipped = test()
            print(f'ok {number} # SKIP {name}: {skipped}' if skipped else f'ok {number} {name}')
        except Exception:
            failed = True
            print('# ' + traceback.format_exc().replace('\n', '\n# '))
            print(f'not ok {number} {name}')
    sys.exit(failed)


main()
