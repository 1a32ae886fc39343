// read_png_grey: a PNG image as 8-bit grey values. The only header that includes libpng.
//
// A coloured image is represented by its red channel, a 16-bit one by its upper byte; alpha and gamma are ignored. That is what
// MuJoCo's decoder does, so the same file gives the same height field.
#pragma once

#include "mjx/io/read_file.hpp"

#ifdef MJX_HAVE_PNG
#include <png.h>
#include <csetjmp>
#endif

namespace mjx::inner {

struct GreyImage {
    int width = 0, height = 0;
    List<unsigned char> pixels{};  // rows from top to bottom
};

#ifdef MJX_HAVE_PNG
namespace detail {

// libpng reports trouble by a long jump: each function that calls it holds nothing with a destructor.
struct PngReader {
    const char* next;
    const char* end;
    const char* message = "unreadable";
    png_structp png = nullptr;
    png_infop info = nullptr;

    explicit PngReader(const List<char>& bytes) : next(bytes.data()), end(bytes.data() + bytes.size()) {
        png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
        if (png) info = png_create_info_struct(png);
        if (png) png_set_read_fn(png, this, take);
    }
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;
    ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }

    static void on_error(png_structp p, const char* what) {
        static_cast<PngReader*>(png_get_error_ptr(p))->message = what;
        png_longjmp(p, 1);
    }
    static void on_warning(png_structp, const char*) {}
    static void take(png_structp p, png_bytep to, std::size_t n) {
        auto* self = static_cast<PngReader*>(png_get_io_ptr(p));
        if (static_cast<std::size_t>(self->end - self->next) < n) png_error(p, "unexpected end of file");
        std::memcpy(to, self->next, n);
        self->next += n;
    }

    // Reads the header and asks for 8-bit channels without alpha.
    bool read_header() {
        if (!info || setjmp(png_jmpbuf(png))) return false;
        png_set_user_limits(png, 1 << 15, 1 << 15);
        png_read_info(png, info);
        png_set_expand(png);
        png_set_strip_16(png);
        png_set_strip_alpha(png);
        png_set_interlace_handling(png);
        png_read_update_info(png, info);
        return true;
    }
    bool read_rows(png_bytepp rows) {
        if (setjmp(png_jmpbuf(png))) return false;
        png_read_image(png, rows);
        return true;
    }
};

}  // namespace detail

// `most`: pixels. A file of a few bytes may announce any number of them.
inline GreyImage read_png_grey(const List<char>& bytes, const std::string& prefix, std::size_t most = Budget{}.numbers) {
    detail::PngReader reader(bytes);
    if (!reader.read_header()) throw_model_error({prefix, "is not a PNG image: ", reader.message});
    const std::size_t width = png_get_image_width(reader.png, reader.info), height = png_get_image_height(reader.png, reader.info);
    if (width * height > most)
        throw_model_error({prefix, std::to_string(width), " x ", std::to_string(height), " pixels are ", over_budget(most, "numbers")});
    const std::size_t stride = png_get_rowbytes(reader.png, reader.info), channels = png_get_channels(reader.png, reader.info);
    List<unsigned char> all(stride * height);
    List<unsigned char*> rows(height);
    for (std::size_t r = 0; r < height; ++r) rows[r] = all.data() + r * stride;
    if (!reader.read_rows(rows.data())) throw_model_error({prefix, "is a broken PNG image: ", reader.message});
    GreyImage grey{static_cast<int>(width), static_cast<int>(height), List<unsigned char>(width * height)};
    for (std::size_t r = 0; r < height; ++r)
        for (std::size_t c = 0; c < width; ++c) grey.pixels[r * width + c] = rows[r][c * channels];
    return grey;
}
#else
inline GreyImage read_png_grey(const List<char>&, const std::string& prefix, std::size_t = 0) {
    throw_model_error({prefix, "PNG images need libpng, and mjx was built without it (define MJX_HAVE_PNG and link png)"});
}
#endif

}  // namespace mjx::inner
