"""The forms of one run agree: exit code, code of JSON and exitCode of SARIF; the hang, faults, failed checks and findings that each has.

    tests/agree.py DIR      DIR has NAME.code, NAME.out (text, with what went to standard error), NAME.json and NAME.sarif for every run
"""
import json
import pathlib
import re
import sys
from collections import Counter


def of_json(report):
    """The results in JSON, named as in SARIF."""
    found = Counter(row.get("id") or row["kind"] for row in report["findings"])
    for part in [report, *report.get("also", [])]:
        found.update(rule for rule, key in (("KERNEL_CHECK", "check_failed"), ("FAULT", "fault"), ("HANG", "hang")) if key in part)
    if report.get("fault") and report["result"] == "hazard":
        del found["FAULT"]  # --strict: the finding itself has stopped the run
    if report["code"] == 6:
        found["LIMIT"] += 1
    return found


def differences(name, code, text, report, log):
    run = log["runs"][0]
    results = Counter(row["ruleId"] for row in run["results"])
    if results["HANG"] > 1:
        results["HANG"] = 1  # of several tiles: one row for each
    if not code == report["code"] == run["invocations"][0]["exitCode"]:
        yield f"exit code {code}, JSON {report['code']}, SARIF {run['invocations'][0]['exitCode']}"
    if of_json(report) != results:
        yield f"JSON has {dict(of_json(report))}, SARIF {dict(results)}"
    if (code == 4) != ("hang" in report) or (code == 3) != ("fault" in report or "check_failed" in report):
        yield f"exit code {code} with {sorted(report)}"
    if "hang" in report:
        hang = report["hang"]
        messages = [row["message"]["text"] for row in run["results"] if row["ruleId"] == "HANG"]
        if hang["cause"] not in text or hang["cause"] not in messages:
            yield f"the cause is not in text or SARIF: {hang['cause']}"
        shown = re.search(r"hang after (\d+) cycles", text)
        cycles = {row["properties"]["cycle"] for row in run["results"] if row["ruleId"] == "HANG"} | {hang["cycle"], report["cycles"]}
        if not shown or cycles != {int(shown.group(1))}:
            yield f"cycles of the hang: {sorted(cycles)}, and in the text {shown and shown.group(1)}"
        later = [int(cycle) for cycle in re.findall(r"in cycle (\d+)", text.split("\n")[0]) if int(cycle) > hang["cycle"]]
        if later:
            yield f"cycles after that of the hang, {hang['cycle']}: {later}"
        if any(waiter["since"] > hang["cycle"] for waiter in hang["waiters"]):
            yield "a wait that began after the last progress"
    for key in ("fault", "check_failed"):
        place = report.get(key, {}).get("place") or {}
        if place.get("file") and f"{place['file']}:{place['line']}" not in text:
            yield f"the line of {key} is not in the text"
        reasons = [row["id"] for row in report["findings"] if row["place"] and row["place"] == place and row["severity"] == "error"]
        if any(reason not in text for reason in reasons):
            yield f"errors at the line of {key} are not in the text: {reasons}"
    missing = [row["id"] for row in report["findings"] if row.get("severity") == "error" and row.get("id", "") not in text]
    if missing and not re.search(r"and \d+ more", text) and code != 3:
        yield f"errors that the text does not have: {missing}"


directory = pathlib.Path(sys.argv[1])
count = bad = 0
for path in sorted(directory.glob("*.code")):
    name = path.stem
    files = [path.with_name(f"{name}.{kind}") for kind in ("out", "json", "sarif")]
    count += 1
    try:
        text, report, log = files[0].read_text(), json.loads(files[1].read_text()), json.loads(files[2].read_text())
        wrong = list(differences(name, int(path.read_text()), text, report, log))
    except (OSError, ValueError, KeyError) as error:
        wrong = [repr(error)]
    for line in wrong:
        bad += 1
        print(f"# {name}: {line}")
print(f"# {count} runs compared")
sys.exit(bad != 0 or count == 0)
