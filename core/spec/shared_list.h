// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace shardlens {

/// What can be said about all items of a list at once, so that a long one is walked once; nothing for most types.
template <class T>
struct ListFacts {
  explicit ListFacts(const std::vector<T>& /*items*/) {}
};

template <>
struct ListFacts<std::int64_t> {
  explicit ListFacts(const std::vector<std::int64_t>& items);

  std::int64_t least = 0;     ///< 0 of no items
  std::int64_t greatest = 0;  ///< 0 of no items
  std::int64_t total = 0;     ///< the sum, or the nearest number of 64 bits where it does not fit
  bool is_run = true;         ///< each item is the one before it plus one
};

template <>
struct ListFacts<double> {
  explicit ListFacts(const std::vector<double>& items);

  double least = 0;       ///< 0 of no items
  double greatest = 0;    ///< 0 of no items
  bool is_finite = true;  ///< no infinity and no NaN; otherwise `least` and `greatest` mean nothing
};

/// A list of any length as a cheap value: copies share one vector that never changes, so that copying and comparing
/// copies take no time however long the list is. What is known about the items is computed when the list is made, by
/// the thread that makes it, and shared as well.
template <class T>
class SharedList {
 public:
  using value_type = T;
  using const_iterator = typename std::vector<T>::const_iterator;
  using iterator = const_iterator;

  SharedList() = default;
  SharedList(std::vector<T> items)  // NOLINT(google-explicit-constructor): a list is what its items are
      : shared_(items.empty() ? nullptr : std::make_shared<const Shared>(std::move(items))) {}
  SharedList(std::initializer_list<T> items) : SharedList(std::vector<T>(items)) {}
  explicit SharedList(std::size_t count, const T& item = T()) : SharedList(std::vector<T>(count, item)) {}
  template <std::input_iterator Iterator>
  SharedList(Iterator first, Iterator last) : SharedList(std::vector<T>(first, last)) {}

  [[nodiscard]] const std::vector<T>& items() const { return shared_ == nullptr ? none() : shared_->items; }
  operator const std::vector<T>&() const { return items(); }  // NOLINT(google-explicit-constructor)

  [[nodiscard]] const_iterator begin() const { return items().begin(); }
  [[nodiscard]] const_iterator end() const { return items().end(); }
  [[nodiscard]] std::size_t size() const { return items().size(); }
  [[nodiscard]] bool empty() const { return shared_ == nullptr; }
  [[nodiscard]] const T& operator[](std::size_t index) const { return shared_->items[index]; }
  [[nodiscard]] const T& front() const { return items().front(); }
  [[nodiscard]] const T& back() const { return items().back(); }

  /// What holds for all items. Walks nothing.
  [[nodiscard]] const ListFacts<T>& facts() const {
    static const ListFacts<T> kNone{std::vector<T>()};
    return shared_ == nullptr ? kNone : shared_->facts;
  }

  /// The memory of the items, which all copies share; not what items refer to.
  [[nodiscard]] std::size_t bytes() const { return items().capacity() * sizeof(T); }
  /// Equal for all copies of one list; null for a list without items.
  [[nodiscard]] const void* identity() const { return shared_.get(); }
  /// Whether both are copies of one list: no walk, and two equal lists made apart are not shared.
  [[nodiscard]] bool isSharedWith(const SharedList& other) const { return shared_ == other.shared_; }

  friend bool operator==(const SharedList& a, const SharedList& b) {
    return a.isSharedWith(b) || a.items() == b.items();
  }

 private:
  struct Shared {
    explicit Shared(std::vector<T> list) : items(std::move(list)), facts(items) {}
    std::vector<T> items;
    ListFacts<T> facts;
  };

  static const std::vector<T>& none() {
    static const std::vector<T> kNone;
    return kNone;
  }

  std::shared_ptr<const Shared> shared_;  ///< null: no items
};

}  // namespace shardlens
