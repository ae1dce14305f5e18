"""Checks SARIF files against the rules of the SARIF 2.1.0 schema (OASIS, sarif-v2.1.0-os, section 3) for the objects that occur: required and
known properties, types, the levels, line numbers from 1, URI references; and that each result names a rule of its run."""
import json
import re
import sys

LEVELS = {"none", "note", "warning", "error"}
# object: property -> (required, kind); a kind is a type, an object's name, a list of one of these, or a set of values
OBJECTS = {
    "log": {"$schema": (False, "uri"), "version": (True, {"2.1.0"}), "runs": (True, ["run"])},
    "run": {"tool": (True, "tool"), "results": (False, ["result"]), "invocations": (False, ["invocation"])},
    "invocation": {"executionSuccessful": (True, {True, False}), "exitCode": (False, "code")},  # section 3.20
    "tool": {"driver": (True, "driver")},
    "driver": {"name": (True, "text"), "version": (False, "text"), "rules": (False, ["rule"])},
    "rule": {"id": (True, "text"), "shortDescription": (False, "message"), "help": (False, "message"),
             "defaultConfiguration": (False, "configuration")},
    "configuration": {"level": (False, LEVELS)},
    "result": {"ruleId": (False, "text"), "level": (False, LEVELS), "message": (True, "message"), "locations": (False, ["location"]),
               "relatedLocations": (False, ["location"]), "occurrenceCount": (False, "count"), "properties": (False, "bag")},
    "bag": {"cycle": (False, "count"), "tile": (False, "text"), "cause": (False, {True, False})},  # section 3.8: properties of the tool; the cycle belongs to a hang
    "message": {"text": (True, "text")},
    "location": {"physicalLocation": (False, "physical"), "message": (False, "message")},
    "physical": {"artifactLocation": (True, "artifact"), "region": (False, "region")},
    "artifact": {"uri": (True, "uri")},
    "region": {"startLine": (True, "count"), "startColumn": (False, "count")},
}
URI = re.compile(r"^(?:[A-Za-z0-9\-._~:/?#@!$&'()*+,;=\[\]]|%[0-9A-Fa-f]{2})+$")


def check(value, kind, where):
    if isinstance(kind, list):
        assert isinstance(value, list), f"{where}: no list"
        for i, item in enumerate(value):
            check(item, kind[0], f"{where}[{i}]")
    elif isinstance(kind, set):
        assert value in kind, f"{where}: {value!r} is none of {sorted(kind)}"
    elif kind == "text":
        assert isinstance(value, str) and value, f"{where}: no text"
    elif kind == "code":
        assert type(value) is int and 0 <= value < 256, f"{where}: {value!r} is no exit code"
    elif kind == "count":
        assert type(value) is int and value >= 1, f"{where}: {value!r} is no number from 1 on"
    elif kind == "uri":
        assert isinstance(value, str) and URI.match(value), f"{where}: {value!r} is no URI reference"
    else:
        assert isinstance(value, dict), f"{where}: no object"
        rows = OBJECTS[kind]
        for name in value:
            assert name in rows, f"{where}: unknown property {name}"
            check(value[name], rows[name][1], f"{where}.{name}")
        missing = [name for name, row in rows.items() if row[0] and name not in value]
        assert not missing, f"{where}: without {missing}"


for path in sys.argv[1:]:
    with open(path) as file:
        log = json.load(file)
    check(log, "log", path)
    for run in log["runs"]:
        ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert len(set(ids)) == len(ids), f"{path}: two rules with one id"
        for result in run["results"]:
            assert result["ruleId"] in ids, f"{path}: no rule {result['ruleId']}"
