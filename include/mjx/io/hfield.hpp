// load_hfield: elevation of a height field, scaled to [0, 1], rows from -y to +y and columns from -x to +x.
//
// From a PNG image (its top row is +y), from MuJoCo's binary format (nrow, ncol as ints, then floats row by row), or given in the
// element. A flat field becomes 0 everywhere.
#pragma once

#include "mjx/io/png.hpp"

#include <algorithm>
#include <cmath>

namespace mjx::inner {

struct HfieldData {
    int nrow = 0, ncol = 0;
    List<float> data{};
};

namespace detail {

inline HfieldData read_hfield_binary(const List<char>& bytes, const std::string& prefix) {
    if (bytes.size() < 8) throw_model_error({prefix, "is too short, expected the header of a height field"});
    const auto size = numbers_at<std::int32_t>(bytes, 0, 2);
    if (size[0] < 1 || size[1] < 1) throw_model_error({prefix, "has a number of rows or columns that is not positive"});
    const auto rows = static_cast<std::size_t>(size[0]), columns = static_cast<std::size_t>(size[1]);
    if (columns > bytes.size() || bytes.size() - 8 != 4 * rows * columns)
        throw_model_error({prefix, "does not have the size its header announces"});
    return {size[0], size[1], numbers_at<float>(bytes, 8, rows * columns)};
}

inline HfieldData read_hfield_png(const List<char>& bytes, const std::string& prefix, std::size_t most = Budget{}.numbers) {
    const GreyImage image = read_png_grey(bytes, prefix, most);
    HfieldData field{image.height, image.width, {}};
    const auto columns = static_cast<std::ptrdiff_t>(image.width);
    for (std::ptrdiff_t row = image.height - 1; row >= 0; --row)
        field.data.append(image.pixels.begin() + row * columns, image.pixels.begin() + (row + 1) * columns);
    return field;
}

}  // namespace detail

// `most`: cells of all height fields together; `taken`: by those before it.
[[gnu::cold]] inline HfieldData load_hfield(const SpecHfield& spec, std::size_t most = Budget{}.numbers, std::size_t taken = 0) {
    const std::string where = spec.where + ": hfield '" + spec.name + "'";
    for (int i = 0; i < 4; ++i)
        if (!(spec.size[i] > 0) || !std::isfinite(spec.size[i])) throw_model_error({where, ": size must be four positive numbers"});
    HfieldData field{spec.nrow, spec.ncol, spec.elevation};
    if (!spec.file.empty()) {
        if (!spec.elevation.empty()) throw_model_error({where, ": has both a file and an elevation, expected one of them"});
        const std::string prefix = where + ": file '" + spec.file + "': ", kind = asset_kind(spec.file, spec.content_type);
        const auto bytes = read_bytes(spec.file, where);
        const bool image = kind == ".png" || kind == "image/png";
        field = image ? detail::read_hfield_png(bytes, prefix, most) : detail::read_hfield_binary(bytes, prefix);
    }
    if (field.nrow < 1 || field.ncol < 1) throw_model_error({where, ": needs a file, or nrow and ncol"});
    const std::size_t cells = static_cast<std::size_t>(field.nrow) * static_cast<std::size_t>(field.ncol);
    if (cells > most - std::min(taken, most))
        throw_model_error({where, ": nrow*ncol = ", std::to_string(cells), " cells",
                           taken > 0 ? ", with those of the fields before it, are " : " are ", over_budget(most, "numbers")});
    if (spec.file.empty() && field.data.empty()) field.data.resize(cells);
    if (field.data.size() != cells)
        throw_model_error(
            {where, ": elevation has ", std::to_string(field.data.size()), " numbers, expected nrow*ncol = ", std::to_string(cells)});
    for (const float x : field.data)
        if (!std::isfinite(x)) throw_model_error({where, ": elevation has a number that is not finite"});
    const auto [low, high] = std::minmax_element(field.data.begin(), field.data.end());
    const float least = *low, range = *high - *low;
    for (float& x : field.data) x = static_cast<double>(range) > 1e-14 ? (x - least) / range : x - least;
    return field;
}

}  // namespace mjx::inner
