"""PTO programs: matmul and relu over a pipe against NumPy, a hang, a parse error."""

from __future__ import annotations

import ctypes
import json
import pathlib
import signal
import time

import numpy as np
import pytest

import tessera
from tessera import pto
from tessera._lib import until_interrupt

GOOD = """
module attributes {pto.target_arch = "a2a3"} {
  pto.global @A : tensor<64x32xf16>
  pto.global @B : tensor<32x64xf16>
  pto.global @C : tensor<64x64xf32>
  func.func @cube(%A: !pto.ptr<f16>, %B: !pto.ptr<f16>) attributes {pto.core = "aic"} {
    %pipe = pto.tpipe (gm_slot_buffer = 0x100000, c2v_consumer_buf = 0x8000, v2c_consumer_buf = 0x9000) : !pto.tpipe<0, C2V, 16384, 4, 2>
    %am = pto.alloc_tile : !pto.tile_buf<mat, f16, 64, 32>
    %bm = pto.alloc_tile : !pto.tile_buf<mat, f16, 32, 64>
    %a = pto.alloc_tile : !pto.tile_buf<left, f16, 64, 32>
    %b = pto.alloc_tile : !pto.tile_buf<right, f16, 32, 64>
    %acc = pto.alloc_tile : !pto.tile_buf<acc, f32, 64, 64>
    pto.tload ins(%A : !pto.ptr<f16>) outs(%am : !pto.tile_buf<mat, f16, 64, 32>)
    pto.tload ins(%B : !pto.ptr<f16>) outs(%bm : !pto.tile_buf<mat, f16, 32, 64>)
    pto.tmov ins(%am : !pto.tile_buf<mat, f16, 64, 32>) outs(%a : !pto.tile_buf<left, f16, 64, 32>)
    pto.tmov ins(%bm : !pto.tile_buf<mat, f16, 32, 64>) outs(%b : !pto.tile_buf<right, f16, 32, 64>)
    pto.tmatmul ins(%a, %b : !pto.tile_buf<left, f16, 64, 32>, !pto.tile_buf<right, f16, 32, 64>) outs(%acc : !pto.tile_buf<acc, f32, 64, 64>)
    pto.tpush ins(%acc : !pto.tile_buf<f32, 64, 64>) pipe(%pipe : !pto.tpipe<...>)
    return
  }
  func.func @vec(%C: !pto.ptr<f32>) attributes {pto.core = "aiv"} {
    %pipe = pto.tpipe (gm_slot_buffer = 0x100000, c2v_consumer_buf = 0x8000, v2c_consumer_buf = 0x9000) : !pto.tpipe<0, C2V, 16384, 4, 2>
    %v = pto.alloc_tile : !pto.tile_buf<vec, f32, 64, 64>
    %o = pto.alloc_tile : !pto.tile_buf<vec, f32, 64, 64>
    pto.tpop outs(%v : !pto.tile_buf<f32, 64, 64>) pipe(%pipe : !pto.tpipe<...>)
    pto.trelu ins(%v : !pto.tile_buf<f32, 64, 64>) outs(%o : !pto.tile_buf<f32, 64, 64>)
    pto.tfree pipe(%pipe : !pto.tpipe<...>)
    %lane = pto.get_subblock_idx : index
    %first = arith.cmpi eq, %lane, 0 : index
    scf.if %first {
      pto.tstore ins(%o : !pto.tile_buf<f32, 64, 64>) outs(%C : !pto.ptr<f32>)
    }
    return
  }
}
"""


def test_gemm_and_relu() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(64, 32)).astype(np.float16), rng.normal(size=(32, 64)).astype(np.float16)
    program = pto.Program(GOOD)
    assert program.tensors["A"] == ("f16", (64, 32)) and not [n for n in program.check() if n.severity == "error"]
    events: list[pto.WorkEvent] = []
    run = program.run({"A": a, "B": b}, hook=events.append)
    want = np.maximum(a.astype(np.float64) @ b.astype(np.float64), 0)
    assert np.abs(run["C"] - want).max() < 1e-4 and run["C"].dtype == np.float32
    np.testing.assert_array_equal(run["A"], a)
    assert {e.core for e in events if e.kind == "work"} == {"AIC", "AIV0", "AIV1"}
    report = run.report()
    assert str(report).startswith(f"ran after {run.cycles} cycles") and report.data["cycles"] == run.cycles
    assert "ran after" in report._repr_html_()
    assert program.explore(20).good


def test_traces(tmp_path: pathlib.Path) -> None:
    for name in ("t.pftrace", "t.json", "t.txt"):
        pto.Program(GOOD).run(trace=tmp_path / name)
        assert (tmp_path / name).stat().st_size > 500
    json.loads((tmp_path / "t.json").read_text())
    assert "tpush" in (tmp_path / "t.txt").read_text().lower()


def test_a_missing_push_is_a_hang() -> None:
    push = "    pto.tpush ins(%acc : !pto.tile_buf<f32, 64, 64>) pipe(%pipe : !pto.tpipe<...>)\n"
    run = pto.Program(GOOD.replace(push, "")).run(raises=False)
    assert run.exit_code == 4
    with pytest.raises(tessera.HangError) as caught:
        run.check()
    assert str(caught.value) == run.explain() and str(caught.value).startswith(f"hang after {run.cycles} cycles: ")
    hang = caught.value.hang
    assert hang is not None and hang == run.hang and not hang.deadlock and hang.cause in str(hang) == run.explain()
    waiter = hang.waiters[hang.chain[0]]
    assert waiter.kind == "flag" and waiter.releasers == () and waiter.waits_for == -1 and waiter.core in ("AIV0", "AIV1")
    assert waiter.place is not None and "tpop" in GOOD.replace(push, "").splitlines()[waiter.place.line - 1]
    assert "should be set by AIC: its program ended after 0 pushes, this is pop number 1" in waiter.why and waiter.why in hang.cause
    told = run.report().data["hang"]
    assert told["cause"] == hang.cause and [row["name"] for row in told["waiters"]] == [row.name for row in hang.waiters]
    assert told["chain"] == list(hang.chain) and {row["state"] for row in told["others"]} <= {"returned", "held"}
    assert pto.Program(GOOD).run().hang is None


def test_errors_are_the_commands_lines() -> None:
    with pytest.raises(tessera.RefusedError) as caught:
        pto.Program("pto.foo\n", name="bad.pto")
    assert str(caught.value).splitlines()[0] == "bad.pto:1:1: error: expected a module, a global or a function"
    assert "\n" not in str(caught.value) and "^" in caught.value.log
    with pytest.raises(tessera.InvalidError, match="no tensor 'Z'"):
        pto.Program(GOOD).run({"Z": np.zeros(1)})
    with pytest.raises(tessera.InvalidError, match="is 64 x 32, not 32 x 64"):
        pto.Program(GOOD).run({"A": np.zeros((32, 64))})


def test_a_wrong_policy_leaves_the_program_usable() -> None:
    program = pto.Program(GOOD)
    for call in (lambda: program.run(policy="zz"), lambda: program.explore(3, policy="zz"), lambda: program.check("zz")):
        with pytest.raises(tessera.InvalidError, match="no such policy"):
            call()
    assert program.run().report().text and program.explore(3).runs == 3


def test_ctrl_c_waits_for_the_librarys_call() -> None:
    """The exception comes when the call has ended: what it uses may be freed then."""
    ended: list[int] = []

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def call(stop: ctypes.c_int) -> int:
        while not stop.value:
            time.sleep(0.01)
        time.sleep(0.3)
        ended.append(1)
        return 0

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            until_interrupt(call)
        assert ended == [1]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
