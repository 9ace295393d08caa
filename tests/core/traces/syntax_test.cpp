// SPDX-License-Identifier: Apache-2.0
// The closed readers of JSON and pickle: what they know, and what they refuse, where.
#include "core/traces/trace_tree.h"

#include <doctest/doctest.h>

#include <string>

using namespace shardlens::traces;

namespace {

std::string operator""_bytes(const char* text, std::size_t size) {
  return {text, size};
}

}  // namespace

TEST_CASE("a pickle's values are read") {
  // {"a": [1, -2, True, None, 2.5, 70000, "é"]} of protocol 2, with a memo.
  const std::string bytes =
      "\x80\x02}q\x00X\x01\x00\x00\x00\x61q\x01]q\x02("
      "K\x01J\xfe\xff\xff\xff\x88NG\x40\x04\x00\x00\x00\x00\x00\x00J\x70\x11\x01\x00"
      "X\x02\x00\x00\x00\xc3\xa9q\x03\x65s."_bytes;
  const ParsedTrace parsed = readPickle(bytes);
  CHECK(parsed.fault.what.empty());
  const NodeId list = parsed.tree.find(parsed.tree.root, "a");
  const auto items = parsed.tree.items(list);
  REQUIRE(items.size() == 7);
  CHECK(parsed.tree.whole(items[0]) == 1);
  CHECK(parsed.tree.whole(items[1]) == -2);
  CHECK(parsed.tree.whole(items[2]) == 1);
  CHECK(parsed.tree.kind(items[3]) == NodeKind::Null);
  CHECK(parsed.tree.real(items[4]) == 2.5);
  CHECK(parsed.tree.whole(items[5]) == 70000);
  CHECK(parsed.tree.text(items[6]) == "é");
}

TEST_CASE("torch's tags around containers have no effect") {
  const std::string bytes =
      "\x80\x02\x63torch.jit._pickle\nrestore_type_tag\n}(X\x01\x00\x00\x00kK\x05uX\x0e\x00\x00\x00\x44ict[str, Any]\x86R."_bytes;
  const ParsedTrace parsed = readPickle(bytes);
  CHECK(parsed.fault.what == "");
  CHECK(parsed.tree.whole(parsed.tree.find(parsed.tree.root, "k")) == 5);
}

TEST_CASE("what no dump needs is refused by its name, at its byte") {
  struct Refused {
    std::string bytes;
    std::size_t offset;
    const char* what;
  };
  const Refused all[] = {
      {"\x80\x02\x63os\nsystem\nX\x02\x00\x00\x00id\x85R."_bytes, 2, "os.system"},
      {"\x80\x02\x63torch._utils\n_rebuild_tensor_v2\n)R."_bytes, 2, "torch._utils._rebuild_tensor_v2"},
      {"\x80\x04\x8c\x02os\x8c\x06system\x93."_bytes, 14, "STACK_GLOBAL"},
      {"\x80\x02}}R."_bytes, 4, "REDUCE"},
      {"\x80\x02}}b."_bytes, 4, "BUILD"},
      {"\x80\x02)\x81."_bytes, 3, "NEWOBJ"},
      {"\x80\x03\x43\x01x."_bytes, 2, "SHORT_BINBYTES"},
      {"\x80\x05\x96\x01\0\0\0\0\0\0\0x."_bytes, 2, "BYTEARRAY8"},
      {"\x80\x02Pid\n."_bytes, 2, "PERSID"},
      {"\x80\x02\x82\x01."_bytes, 2, "EXT1"},
      {"\x80\x09}."_bytes, 0, "protocol 9"},
      {"\x80\x02\xff."_bytes, 2, "0xff"},
      {"\x80\x02h\x05."_bytes, 2, "has not stored"},
      {"\x80\x02\x61."_bytes, 2, "finds no value"},
      {"\x80\x02u."_bytes, 2, "finds no value"},
      {"\x80\x02X\xff\xff\xff\x7fx"_bytes, 2, "cut"},
      {"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xffx"_bytes, 2, "cut"},
      {"\x80\x02}"_bytes, 3, "cut"},
  };
  for (const Refused& one : all) {
    CAPTURE(one.what);
    const ParsedTrace parsed = readPickle(one.bytes);
    CHECK(parsed.fault.offset == one.offset);
    CHECK(parsed.fault.what.find(one.what) != std::string::npos);
  }
}

TEST_CASE("a list that holds itself, and deep nesting, cost nothing") {
  const ParsedTrace self = readPickle("\x80\x02]q\x00h\x00\x61."_bytes);
  CHECK(self.fault.what.empty());
  CHECK(self.tree.items(self.tree.root).size() == 1);
  std::string deep = "\x80\x02"_bytes;
  for (int i = 0; i < 100'000; ++i) deep += "](";
  CHECK(readPickle(deep).fault.what.find("nested deeper") != std::string::npos);
  const std::string brackets(100'000, '[');
  CHECK(readJson(brackets).fault.what.find("nested deeper") != std::string::npos);
}

TEST_CASE("JSON that was cut gives what came before") {
  const ParsedTrace parsed = readJson(R"({"entries":[{"seq":1},{"seq":2},{"se)");
  CHECK_FALSE(parsed.fault.what.empty());
  CHECK(parsed.fault.offset >= 35);
  const auto items = parsed.tree.items(parsed.tree.find(parsed.tree.root, "entries"));
  REQUIRE(items.size() == 3);
  CHECK(parsed.tree.whole(parsed.tree.find(items[1], "seq")) == 2);
}
