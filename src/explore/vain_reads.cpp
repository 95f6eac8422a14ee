// SPDX-License-Identifier: Apache-2.0
#include "explore/vain_reads.h"

#include "core/rmw.h"

namespace heddle::explore {
namespace {

// A read inside an atomic section is none before the section comes to its end, and one behind buffered stores waits for
// these first.
bool waits_in_vain(const Product::World& world, const Objects& objects, core::Tid t, const core::Request& r) {
  if (!r.waits || r.locked || !world.threads[t].buffer.empty()) return false;
  if (r.loc.object == 0 || r.loc.object >= world.objects.size()) return false;
  const std::uint32_t chunk = world.objects[r.loc.object];
  return fault_of(r.loc, objects.header(chunk), false) == core::Fault::None &&
         !core::wait_over(r, objects.read(chunk, r.loc.offset, r.loc.size));
}

}  // namespace

bool count_vain_reads(Product::World& world, const Objects& objects, ThreadRunner& runner,
                      const std::function<void(core::Tid)>& tell) {
  for (core::Tid t = 0; t < world.threads.size(); ++t) {
    const core::Request r = runner.request(world.threads[t].local);
    if (!waits_in_vain(world, objects, t, r) || world.races.has_read(t, r)) continue;
    tell(t);
    if (world.races.read_in_vain(t, r)) return true;
  }
  return false;
}

}  // namespace heddle::explore
