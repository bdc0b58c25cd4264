# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rmdir


class AutoshardRecipe(ConanFile):
    """Without the GPL-3 licensed GLPK backend: whoever wants it builds with CMake."""

    name = "autoshard"
    version = "0.1.0"
    license = "Apache-2.0"
    description = "An embeddable planner of intra- and inter-operator parallelism"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]
    exports_sources = (
        "CMakeLists.txt", "LICENSE", "NOTICE", "capi/*", "cmake/*", "include/*", "src/*")

    def validate(self):
        check_min_cppstd(self, 20)

    def requirements(self):
        self.requires("eigen/3.4.0", visible=False)
        self.requires("fmt/9.1.0")
        self.requires("nlohmann_json/3.11.2", visible=False)
        self.requires("zlib/[>=1.2.11 <2]")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for part in ("BUILD_TESTS", "BUILD_TOOLS", "BUILD_EXAMPLES", "WITH_GLPK"):
            toolchain.cache_variables[f"AUTOSHARD_{part}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        for name in ("LICENSE", "NOTICE"):
            copy(self, name, self.source_folder, f"{self.package_folder}/licenses")
        for folder in ("cmake", "pkgconfig"):
            rmdir(self, f"{self.package_folder}/lib/{folder}")

    def package_info(self):
        cxx = self.cpp_info.components["cxx"]
        cxx.set_property("cmake_target_name", "autoshard::autoshard")
        cxx.set_property("pkg_config_name", "autoshard")
        cxx.libs = ["autoshard"]
        cxx.requires = ["eigen::eigen", "fmt::fmt", "nlohmann_json::nlohmann_json", "zlib::zlib"]
        cxx.system_libs = ["pthread"]
        c_library = self.cpp_info.components["capi"]
        c_library.set_property("cmake_target_name", "autoshard::capi")
        c_library.set_property("pkg_config_name", "autoshard-c")
        c_library.libs = ["autoshard_c"]
        # The C library is a shared object that holds all it needs.
        c_library.requires = ["cxx"] if self.options.shared else ["fmt::fmt", "zlib::zlib"]
