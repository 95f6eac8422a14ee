// Small random array-based systems with weak names: a few locations, transitions that read, write, lock and fence. Two
// in five also compare processes by their order, and some have candidates and transitions of one name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>

namespace heddle::test {

inline std::string random_cubicle(std::mt19937& random) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const auto coin = [&](unsigned percent) { return below(100) < percent; };
  const unsigned locations = 3 + below(2);
  const bool ordered = coin(40);
  std::string text = "type loc = ";
  for (unsigned i = 0; i < locations; ++i) text += (i == 0 ? "L" : " | L") + std::to_string(i);
  text +=
      "\narray PC[proc] : loc\narray Got[proc] : bool\nweak var X : bool\nweak var Y : bool\nweak var T : proc\nweak "
      "array F[proc] : bool\n";
  text += "init (p) { PC[p] = L0 && Got[p] = False && X = False && Y = False && F[p] = False }\n";
  const std::string last = "L" + std::to_string(locations - 1);
  if (coin(20))
    text += "candidate (p q) { PC[p] = " + last + " && PC[q] = L" + std::to_string(below(locations)) +
            (ordered ? " && p < q }\n" : " }\n");
  if (ordered && coin(30))
    text += "unsafe (p q r) { PC[p] = " + last + " && PC[q] = " + last + " && p < r && r < q && Got[r] = True }\n";
  switch (ordered ? 3 + below(3) : below(4)) {
    case 4: text += "unsafe (p q) { PC[p] = " + last + " && PC[q] = " + last + " && q < p && Got[p] = False }\n"; break;
    case 5: text += "unsafe (p q) { PC[p] = " + last + " && p @ T = q && p <= q }\n"; break;
    case 0:
      text += "unsafe (p q) { PC[p] = " + last + " && PC[q] = " + last + " && Got[p] = False && Got[q] = False }\n";
      break;
    case 1:
      text += "unsafe (p q) { PC[p] = " + last + " && PC[q] = " + last + " && p @ X = False && q @ Y = True }\n";
      break;
    case 2: text += "unsafe (p q) { PC[p] = " + last + " && Got[p] = True && q @ F[p] = False && q @ T = p }\n"; break;
    default: text += "unsafe (p q) { PC[p] = " + last + " && PC[q] = " + last + " }\n"; break;
  }
  const unsigned transitions = 3 + below(4);
  for (unsigned t = 0; t < transitions; ++t) {
    const bool other = coin(40);
    const unsigned from = t < locations - 1 ? t : below(locations);
    const unsigned to = t < locations - 1 ? t + 1 : below(locations);
    const auto bit = [&] { return std::string(coin(50) ? "True" : "False"); };
    text += "transition t" + std::to_string(coin(10) ? 0 : t) + " ([p]" + (other ? " q" : "") +
            ")\nrequires { PC[p] = L" + std::to_string(from);
    const unsigned kind = below(10);
    const bool reads = kind < 6;
    if (reads) {
      switch (below(6)) {
        case 0: text += " && X = " + bit(); break;
        case 1: text += " && Y = " + bit(); break;
        case 2: text += other ? " && F[q] = " + bit() : " && F[p] = " + bit(); break;
        case 3: text += " && (forall_other r. F[r] = False)"; break;
        case 4: text += coin(50) ? " && T = p" : " && T <> p"; break;
        default: text += " && X = " + bit() + " && Y = " + bit(); break;
      }
    }
    if (ordered && coin(60)) {
      switch (below(4)) {
        case 0: text += other ? " && p < q" : " && T <= p"; break;
        case 1: text += other ? " && not (p <= q)" : " && p < T"; break;
        case 2: text += " && (forall_other r. r < p || F[r] = False)"; break;
        default: text += " && (exists_other r. p < r && F[r] = " + bit() + ")"; break;
      }
    }
    if (coin(25)) text += " && fence()";
    text += " }\n{ PC[p] := L" + std::to_string(to);
    if (kind >= 5) {
      switch (below(6)) {
        case 0: text += "; X := " + bit(); break;
        case 1: text += "; Y := " + bit(); break;
        case 2: text += other && coin(30) ? "; F[q] := " + bit() : "; F[p] := " + bit(); break;
        case 3: text += other ? "; T := q" : "; T := p"; break;
        case 4: text += "; X := " + bit() + "; Y := " + bit(); break;
        default: text += "; F[p] := " + bit() + "; X := True"; break;
      }
    } else if (coin(40)) {
      text += coin(50) ? "; Got[p] := X" : "; Got[p] := Y";
    }
    text += " }\n";
  }
  return text;
}

}  // namespace heddle::test
