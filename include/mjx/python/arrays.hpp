// Numbers between C++ and Python: arrays that Python owns, arrays from Python, and fields as live arrays. The only header that includes
// pybind11.
#pragma once

#include "mjx/data/walk.hpp"
#include "mjx/views.hpp"

#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace mjx::inner::python {

namespace py = pybind11;
using unlocked = py::call_guard<py::gil_scoped_release>;

// f() while other threads of Python run: nothing of Python's may be touched in it.
template <class F>
auto unlocking(F&& f) {
    const py::gil_scoped_release unlock;
    return f();
}

// Arrays that Python owns.
template <class X>
py::array owned(X given) {
    using T = typename X::value_type;
    auto* kept = new X(std::move(given));
    const py::capsule release(kept, [](void* p) { delete static_cast<X*>(p); });
    std::vector<py::ssize_t> shape(kept->shape().begin(), kept->shape().end());
    return py::array(py::dtype::of<T>(), shape, {}, kept->data(), release);
}
// Arrays from Python, of any numbers and order.
template <class X>
X taken(const py::array_t<typename X::value_type, py::array::c_style | py::array::forcecast>& given, const char* what) {
    typename X::shape_type shape;
    if (static_cast<std::size_t>(given.ndim()) != shape.size())
        throw std::invalid_argument(std::string(what) + " has " + std::to_string(given.ndim()) + " dimensions, expected " +
                                    std::to_string(shape.size()));
    for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = static_cast<std::size_t>(given.shape(static_cast<py::ssize_t>(i)));
    X result = X::from_shape(shape);
    std::copy(given.data(), given.data() + given.size(), result.data());
    return result;
}
inline Vector<bool> mask(const py::array_t<bool, py::array::c_style | py::array::forcecast>& given) {
    return taken<Vector<bool>>(given, "the mask");
}

// A field as a number, or as an array on its items (and their components) that keeps `owner` alive. Fields of other things are None.
template <class Field>
py::object live(Field& field, const py::object& owner) {
    using Item = std::remove_const_t<inner::item_t<Field>>;
    using T = typename inner::number_of<Item>::type;
    if constexpr (!std::is_arithmetic_v<T>) {
        return py::none();
    } else if constexpr (!inner::has_items<Field> && !inner::has_components<Item>) {
        return py::cast(field);
    } else {
        auto&& items = inner::as_field(field);
        std::vector<py::ssize_t> shape{items.size()};
        if constexpr (!inner::has_items<Field>) shape.clear();  // one vector
        if constexpr (inner::has_components<Item>) shape.push_back(Item::size);
        return py::array(py::dtype::of<T>(), shape, {}, reinterpret_cast<T*>(const_cast<Item*>(items.data())), owner);
    }
}

// Copies numbers of Python's over those of a live array.
inline void copy_over(const py::array& to, const py::object& value, const std::string& what) {
    const py::array given = py::array::ensure(value);
    if (!given) {
        PyErr_Clear();
        throw std::invalid_argument(what + " is an array, and what is given is none");
    }
    const auto shape = [](const py::array& array) { return py::str(array.attr("shape")).cast<std::string>(); };
    if (shape(given) != shape(to)) throw std::invalid_argument(what + " has the shape " + shape(to) + ", what is given " + shape(given));
    to.attr("__setitem__")(py::ellipsis(), given);
}

template <class Field>
constexpr bool is_number_v = !inner::has_items<Field> && !inner::has_components<std::remove_const_t<inner::item_t<Field>>>;

// Gives a field the numbers that Python assigns to it.
template <class Field>
void assign(Field& field, const py::object& owner, const py::object& value, const std::string& what) {
    using T = typename inner::number_of<std::remove_const_t<inner::item_t<Field>>>::type;
    if constexpr (!std::is_arithmetic_v<T>) {
        throw py::attribute_error(what + " is not made of numbers");
    } else if constexpr (is_number_v<Field>) {
        try {
            field = value.cast<T>();
        } catch (const py::cast_error&) {
            throw std::invalid_argument(what + (std::is_integral_v<T> ? " is a whole number" : " is a number") +
                                        ", and what is given is none");
        }
    } else {
        copy_over(py::array(live(field, owner)), value, what);
    }
}

// Classes that Python derives from these may have members of their own: sets one, where that is so.
inline bool set_own_member(const py::object& self, const std::string& name, const py::object& value) {
    if (!py::hasattr(self, "__dict__")) return false;
    if (PyObject_GenericSetAttr(self.ptr(), py::str(name).ptr(), value.ptr()) != 0) throw py::error_already_set();
    return true;
}

// Names that do not exist are told with a reason to look elsewhere.
inline py::object found_or_throw(const py::object& found, const std::string& name, const char* kind) {
    if (!found.is_none()) return found;
    throw py::attribute_error(std::string(kind) + " has no '" + name + "'; fields have MuJoCo's names");
}

}  // namespace mjx::inner::python
