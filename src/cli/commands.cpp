// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

namespace heddle::cli {

// Each lives in command_<name>.cpp; models and languages in command_lists.cpp.
Action declare_check(CLI::App&);
Action declare_generate(CLI::App&);
Action declare_repair(CLI::App&);
Action declare_relax(CLI::App&);
Action declare_hardware(CLI::App&);
Action declare_ltl(CLI::App&);
Action declare_models(CLI::App&);
Action declare_languages(CLI::App&);

namespace {

const Command table[] = {
    {"check", "check programs for errors under memory models", declare_check},
    {"generate", "make litmus tests from cycles of relaxations", declare_generate},
    {"repair", "the smallest set of fences or atomic writes that makes a program safe", declare_repair},
    {"relax", "a DVE model with one-place store buffers written into it", declare_relax},
    {"hardware", "run litmus tests on this machine, and hold what it does against its memory model", declare_hardware},
    {"ltl", "a temporal formula as a Büchi automaton: HOA, DOT or never claim", declare_ltl},
    {"models", "the memory models there are, and how they are ordered", declare_models},
    {"languages", "the languages there are, their extensions, models and engines", declare_languages},
};

}  // namespace

std::span<const Command> commands() { return table; }

}  // namespace heddle::cli
