// Litmus tests from cycles of relaxations, as the diy tool makes them (Alglave, Maranget, Sarkar, Sewell, "Fences in
// weak memory models", 2010): each edge of a cycle is something a model may or may not relax, the test asks whether the
// whole cycle can happen.
//
// Edges, with R and W for the events they lead from and to, d or s for different or same location:
//   Rfe Fre Coe (or Wse)       communication between threads
//   Rfi Fri Coi (or Wsi)       … within a thread
//   PodWR PosRR …              program order
//   MFencedWR DMB.SYdWW DMB.LDdRR DMB.STdWW ISBdRR LwSyncdWW SyncdWR EieiodWW ISyncdRR Fence.rw.rwdWR Fence.tsodRR
//   FenceScdWR FenceAcqdRR …   a fence (those of the dialect); FencedXY is the dialect's strongest
//   DpAddrdR DpDatadW DpCtrldW DpCtrlIsbdR DpCtrlIsyncdR DpCtrlFenceidR    dependencies; DpdR is DpAddrdR, DpdW
//   DpDatadW
// An edge may end with the annotations of its two events: RfeLA PodRRAP (P plain, A acquire, L release, Q acquire-pc),
// in C RfeRelAcq (Na Rlx Acq Rel Sc).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lang/litmus/test.h"
#include "support/diagnostics.h"

namespace heddle::lang::litmus {

struct Edge {
  enum class Kind : std::uint8_t { Rf, Fr, Co, Po, Fence, Addr, Data, Ctrl };
  Kind kind = Kind::Po;
  bool external = false;
  bool different = false;  // locations
  bool from_write = false, to_write = false;
  std::string fence;               // Fence: its name in the code; Ctrl: the barrier behind the branch, if any
  std::string from_note, to_note;  // annotations; empty: the dialect's plain access
  std::string text;                // as written
  std::string label;               // in test names: "po", "dmb.sy", "addr"
};

// The mistake of a request that no test can be made of.
support::Diagnostic wrong_request(std::string message);

support::Result<Edge> parse_edge(std::string_view, Dialect);

struct Generated {
  std::string name;
  std::string text;
};

// A test whose condition is that the cycle happens. An empty name gives the usual one (MP, SB+mfences, …).
support::Result<Generated> generate_test(const std::vector<Edge>& cycle, Dialect, std::string name = {});

// All cycles of up to `size` edges from the pool, each once whatever its rotation: at least two threads, at least two
// locations, directions and annotations that fit, no two communications in a row that one would do for, and at most
// one change of location in each thread (the critical cycles of Shasha and Snir).
std::vector<std::vector<Edge>> all_cycles(const std::vector<Edge>& pool, unsigned size);

// The pool of a dialect when none is given: program order and communication.
std::vector<Edge> default_pool(Dialect);

}  // namespace heddle::lang::litmus
