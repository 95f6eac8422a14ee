// The twins in C++: std::thread, std::mutex, std::atomic and so on.
// SPDX-License-Identifier: Apache-2.0
#include "twins.h"
