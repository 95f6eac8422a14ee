// What a state of a product shows of itself to a search for infinite runs.
// SPDX-License-Identifier: Apache-2.0
#include "explore/product.h"
#include "explore/product_work.h"

namespace heddle::explore {

// Main memory and local states of the decoded state.
class Product::Reader final : public core::StateReader {
 public:
  Reader(const Product& product, Work& work) : product_(product), work_(work) {}

  core::Answer read(const core::Loc& loc) const override {
    if (loc.object == 0 || loc.object >= work_.base.objects.size()) return {.value = {}, .fault = core::Fault::Wild};
    const std::uint32_t chunk = work_.base.objects[loc.object];
    const core::Fault fault = fault_of(loc, product_.objects_.header(chunk), false);
    if (fault != core::Fault::None) return {.value = {}, .fault = fault};
    return {product_.objects_.read(chunk, loc.offset, loc.size)};
  }
  std::size_t threads() const override { return work_.base.threads.size(); }
  core::ConstLocal local(core::Tid t) const override { return work_.runner.bytes_of(work_.base.threads[t].local); }

 private:
  const Product& product_;
  Work& work_;
};

core::Truth Product::truth(std::uint32_t proposition, Work& work, std::uint32_t& error) const {
  const core::Truth truth = options_.conditions->evaluate(proposition, Reader(*this, work));
  if (truth == core::Truth::NoValue)
    error = error_number({"assertion", "a condition of a temporal formula has no value", core::no_site});
  return truth;
}

bool Product::holds(std::uint32_t proposition, core::State state, Scratch& scratch, std::uint32_t& error) const {
  Work& work = static_cast<Work&>(scratch);
  decode(state, work);
  return truth(proposition, work, error) == core::Truth::True;
}

void Product::view(core::State state, std::span<const std::uint32_t> propositions, Scratch& scratch,
                   core::View& out) const {
  Work& work = static_cast<Work&>(scratch);
  decode(state, work);
  out.truth.assign((propositions.size() + 63) / 64, 0);
  out.error = 0;
  out.accepting = false;
  for (std::size_t i = 0; i < propositions.size() && out.error == 0; ++i)
    if (truth(propositions[i], work, out.error) == core::Truth::True) out.truth[i / 64] |= std::uint64_t{1} << (i % 64);
  out.fair.assign((memory_sets() + 63) / 64, ~std::uint64_t{0});
  for (std::uint32_t t = 0; t < work.base.threads.size() && t < memory_sets(); ++t)
    if (!work.base.threads[t].buffer.empty()) out.fair[t / 64] &= ~(std::uint64_t{1} << (t % 64));
}

}  // namespace heddle::explore
