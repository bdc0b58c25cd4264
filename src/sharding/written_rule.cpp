// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "sharding/written_rule.hpp"

#include <charconv>
#include <optional>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "sharding/check_rule.hpp"

namespace autoshard::internal {
namespace {

/// Names beyond this are a mistake, not a rule.
constexpr std::int64_t kMaxNumber = 1'000'000;

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool at_end() { return peek() == '\0'; }

  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool accept(std::string_view token) {
    peek();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  Result<void> expect(std::string_view token) {
    if (accept(token)) return {};
    return expected(fmt::format("'{}'", token));
  }

  Error expected(std::string_view what) {
    peek();
    return invalid("sharding rule: at character {}: expected {}", at_ + 1, what);
  }

  Result<std::int64_t> integer() {
    peek();
    std::int64_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc{} || value < 0) return expected("a number");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  Result<std::int32_t> operand() {
    AUTOSHARD_TRY(const std::int64_t number, integer());
    if (number > kMaxNumber) return expected("the number of an operand above");
    return static_cast<std::int32_t>(number);
  }

  bool at_letter() { return peek() >= 'a' && peek() <= 'z'; }

  Result<NamedFactor> factor() {
    if (!at_letter()) return expected("a factor such as 'k' or 'k2'");
    const std::int64_t letter = text_[at_++] - 'a';
    const bool numbered = at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9';
    if (!numbered) return static_cast<NamedFactor>(letter);
    AUTOSHARD_TRY(const std::int64_t number, integer());
    if (number == 0 || number > kMaxNumber) return expected("a factor's number above, from 1");
    return static_cast<NamedFactor>(number * 26 + letter);
  }

  /// "word" before '='.
  std::string_view key() {
    peek();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (text_[at_] == '_' || (text_[at_] >= 'a' && text_[at_] <= 'z')))
      ++at_;
    return text_.substr(begin, at_ - begin);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// open entry , entry , ... close
template <class Entry>
Result<void> scan_list(Scanner& scan, std::string_view open, std::string_view close, Entry entry) {
  AUTOSHARD_CHECK_OK(scan.expect(open));
  if (scan.accept(close)) return {};
  do {
    AUTOSHARD_CHECK_OK(entry());
  } while (scan.accept(","));
  return scan.expect(close);
}

Result<DimFactors> scan_dim(Scanner& scan) {
  if (scan.accept("1")) return DimFactors{};
  if (!scan.accept("(")) {
    AUTOSHARD_TRY(const NamedFactor factor, scan.factor());
    return DimFactors{factor};
  }
  DimFactors dim;
  while (!scan.accept(")")) {
    AUTOSHARD_TRY(const NamedFactor factor, scan.factor());
    dim.push_back(factor);
  }
  return dim;
}

Result<std::vector<DimFactors>> scan_tensor(Scanner& scan) {
  std::vector<DimFactors> dims;
  AUTOSHARD_CHECK_OK(scan_list(scan, "[", "]", [&]() -> Result<void> {
    AUTOSHARD_TRY(dims.emplace_back(), scan_dim(scan));
    return {};
  }));
  return dims;
}

Result<std::vector<std::vector<DimFactors>>> scan_tensors(Scanner& scan) {
  std::vector<std::vector<DimFactors>> tensors;
  AUTOSHARD_CHECK_OK(scan_list(scan, "(", ")", [&]() -> Result<void> {
    AUTOSHARD_TRY(tensors.emplace_back(), scan_tensor(scan));
    return {};
  }));
  return tensors;
}

void collect_factors(WrittenRule& written) {
  for (const auto* side : {&written.rule.operands, &written.rule.results}) {
    for (const auto& dims : *side) {
      for (const DimFactors& dim : dims) {
        for (const NamedFactor factor : dim) written.factors[factor];
      }
    }
  }
}

/// A factor that stands in a dimension.
Result<NamedFactor> scan_known_factor(Scanner& scan, const WrittenRule& written) {
  AUTOSHARD_TRY(const NamedFactor factor, scan.factor());
  if (written.factors.contains(factor)) return factor;
  return invalid("sharding rule: factor '{}': stands in no dimension",
                 factor_name(static_cast<std::size_t>(factor)));
}

Result<void> scan_kind(Scanner& scan, WrittenRule& written, const Factor& like) {
  return scan_list(scan, "{", "}", [&]() -> Result<void> {
    AUTOSHARD_TRY(const NamedFactor name, scan_known_factor(scan, written));
    Factor& factor = written.factors[name];
    if (factor.kind != FactorKind::parallel) {
      return invalid("sharding rule: factor '{}': has two kinds",
                     factor_name(static_cast<std::size_t>(name)));
    }
    factor.kind = like.kind;
    factor.reduction = like.reduction;
    return {};
  });
}

Result<void> scan_partial_operands(Scanner& scan, WrittenRule& written) {
  return scan_list(scan, "{", "}", [&]() -> Result<void> {
    AUTOSHARD_TRY(const NamedFactor name, scan_known_factor(scan, written));
    AUTOSHARD_CHECK_OK(scan.expect(":"));
    AUTOSHARD_TRY(const std::int32_t operand, scan.operand());
    written.factors[name].partial_operands.push_back(operand);
    return {};
  });
}

Result<void> scan_linear(Scanner& scan, WrittenRule& written) {
  do {
    LinearGroup& group = written.rule.linear.emplace_back();
    AUTOSHARD_CHECK_OK(scan_list(scan, "{", "}", [&]() -> Result<void> {
      AUTOSHARD_TRY(const std::int32_t operand, scan.operand());
      group.operands.push_back(operand);
      return {};
    }));
  } while (scan.accept(","));
  return {};
}

Result<void> scan_sizes(Scanner& scan, WrittenRule& written) {
  return scan_list(scan, "{", "}", [&]() -> Result<void> {
    AUTOSHARD_TRY(const NamedFactor name, scan_known_factor(scan, written));
    AUTOSHARD_CHECK_OK(scan.expect("="));
    AUTOSHARD_TRY(written.sizes[name], scan.integer());
    return {};
  });
}

std::optional<Factor> kind_of_key(std::string_view key) {
  if (key == "replicate") return Factor{.kind = FactorKind::replicate};
  const auto reduction = key == "reduction" ? ReductionKind::sum : parse_reduction(key);
  if (!reduction) return std::nullopt;
  return Factor{.kind = FactorKind::reduction, .reduction = *reduction};
}

Result<void> scan_property(Scanner& scan, WrittenRule& written) {
  const std::string_view key = scan.key();
  const std::optional<Factor> kind = kind_of_key(key);
  const bool known = kind || key == "partial_operands" || key == "linear" || key == "sizes";
  if (!known)
    return scan.expected("reduction, replicate, linear, partial_operands or sizes before");
  AUTOSHARD_CHECK_OK(scan.expect("="));
  if (kind) return scan_kind(scan, written, *kind);
  if (key == "partial_operands") return scan_partial_operands(scan, written);
  return key == "linear" ? scan_linear(scan, written) : scan_sizes(scan, written);
}

}  // namespace

Result<WrittenRule> scan_rule(std::string_view text) {
  Scanner scan(text);
  WrittenRule written;
  AUTOSHARD_TRY(written.rule.operands, scan_tensors(scan));
  AUTOSHARD_CHECK_OK(scan.expect("->"));
  AUTOSHARD_TRY(written.rule.results, scan_tensors(scan));
  collect_factors(written);
  while (!scan.at_end()) AUTOSHARD_CHECK_OK(scan_property(scan, written));
  return written;
}

}  // namespace autoshard::internal
