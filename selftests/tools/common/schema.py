# SPDX-License-Identifier: GPL-2.0-or-later
"""
Validates what commands of fxt print with --json.

In:  the path of fxt; a folder with a file for each command, of one object on each line.
Out: TAP, with the members that no object has as comments.
Must hold: each schema is valid itself, all objects are valid by it, and no key occurs twice in one.
"""
import json
import os
import subprocess
import sys

import jsonschema

COMMANDS = ("report", "why", "blame", "diff", "assert", "info", "dump", "check")
LIKE = 20  # objects of one form that are validated


def form(value):
    """The keys and types of a value, by which objects are told apart."""
    if isinstance(value, dict):
        return tuple((key, form(member)) for key, member in value.items())
    if isinstance(value, list):
        return frozenset(form(item) for item in value)
    return value if isinstance(value, bool) else type(value)


def members_once(pairs):
    """An object; fails if a key occurs twice, of which a parser would drop one."""
    value = dict(pairs)
    assert len(value) == len(pairs), [key for key, _ in pairs]
    return value


def objects(path):
    """Yields the objects of a file, at most LIKE of each form."""
    seen = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            value = json.loads(line, object_pairs_hook=members_once)
            key = value.get("kind") if len(line) > 1 << 16 else form(value)
            seen[key] = seen.get(key, 0) + 1
            if seen[key] <= LIKE:
                yield value


def keys(value, found):
    """Adds all keys of a value, with their parents' keys."""
    if isinstance(value, dict):
        for key, member in value.items():
            found.add(key)
            keys(member, found)
    elif isinstance(value, list):
        for item in value:
            keys(item, found)


def members(schema, found):
    """Adds all members that a schema names."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "properties":
                found.update(value)
            members(value, found)
    elif isinstance(schema, list):
        for item in schema:
            members(item, found)


def check(number, fxt, folder, command):
    """Validates the objects of one command. Returns: is all valid?"""
    schema = json.loads(subprocess.check_output([fxt, command, "--json-schema"]))
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    count, found, named, errors = 0, set(), set(), []
    for value in objects(os.path.join(folder, command)):
        count += 1
        keys(value, found)
        errors += validator(schema).iter_errors(value)
    members(schema, named)
    for error in errors[:10]:
        where = "/".join(str(part) for part in error.absolute_path)
        print(f"# {where}: {error.message[-300:]}")
    print("# no object has:", ", ".join(sorted(named - found)) or "none")
    valid = count > 0 and not errors
    print("ok" if valid else "not ok", number, f"{command}: {count} objects")
    return valid


def main():
    fxt, folder = sys.argv[1:]
    print(f"1..{len(COMMANDS)}")
    results = [check(i, fxt, folder, c) for i, c in enumerate(COMMANDS, 1)]
    sys.exit(not all(results))


main()
