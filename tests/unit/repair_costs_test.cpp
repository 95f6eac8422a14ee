// What --cost takes.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "repair/order_costs.h"

namespace heddle::repair {
namespace {

using core::Order;

TEST(RepairCosts, of_models) {
  const auto costs = StepCosts::parse("fence=3,atomic=7");
  ASSERT_TRUE(costs);
  EXPECT_EQ(costs->atomic, 7U);
  EXPECT_EQ(costs->fence, 3U);
  EXPECT_EQ(StepCosts::parse("")->fence, 1U);
  for (const char* wrong : {"fence", "fence=", "fence=0", "fence=x", "sync=1", "fence=1,,atomic=2", "fence=-1",
                            "store.seq_cst=2", "fence=99999999999", "atomic=1,atomic=2"})
    EXPECT_FALSE(StepCosts::parse(wrong)) << wrong;
}

TEST(RepairCosts, of_orders) {
  const OrderCosts standard;
  const auto costs = OrderCosts::parse("store.seq_cst=8,fence.release=2");
  ASSERT_TRUE(costs);
  EXPECT_EQ(costs->between(Priced::Store, Order::Relaxed, Order::SeqCst), 8U);
  EXPECT_EQ(costs->between(Priced::Fence, Order::Plain, Order::Release), 2U);
  EXPECT_EQ(costs->between(Priced::Load, Order::Relaxed, Order::Acquire),
            standard.between(Priced::Load, Order::Relaxed, Order::Acquire));
  EXPECT_EQ(OrderCosts::parse("count")->between(Priced::Fence, Order::Plain, Order::SeqCst), 1U);
  // Loads do not release and stores do not acquire: what these would cost does not matter.
  const auto equal =
      OrderCosts::parse("load.acquire=1,load.seq_cst=1,store.release=1,store.seq_cst=1,failure.seq_cst=1");
  ASSERT_TRUE(equal) << render(equal.error());
  EXPECT_EQ(equal->between(Priced::Load, Order::Relaxed, Order::SeqCst), 1U);
  EXPECT_EQ(equal->between(Priced::Store, Order::Relaxed, Order::SeqCst), 1U);
  // A stronger order never costs less.
  for (const char* wrong :
       {"store.release=9", "load.acquire=2,load.seq_cst=1", "store", "store.seq_cst", "store.plain=2", "fence=2",
        "mutex.release=2", "store.seq_cst=0", "atomic=2", "load.seq_cst=3,load.seq_cst=3"})
    EXPECT_FALSE(OrderCosts::parse(wrong)) << wrong;
  // acq_rel costs no more than acquire and release together. Nothing that was named is changed to that.
  EXPECT_FALSE(OrderCosts::parse("rmw.acq_rel=50,rmw.seq_cst=60"));
  EXPECT_FALSE(OrderCosts::parse("fence.acq_rel=7,fence.seq_cst=7"));
  EXPECT_EQ(OrderCosts::parse("rmw.acq_rel=2")->between(Priced::Rmw, Order::Relaxed, Order::AcqRel), 2U);
  EXPECT_EQ(OrderCosts::parse("fence.acquire=1,fence.release=1")->between(Priced::Fence, Order::Plain, Order::AcqRel),
            2U);
}

}  // namespace
}  // namespace heddle::repair
