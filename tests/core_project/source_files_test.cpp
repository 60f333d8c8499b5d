// SPDX-License-Identifier: Apache-2.0
// Which files of a project a variant is built of.
#include "core/project/source_files.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/base/file.h"
#include "core/project/includes.h"
#include "tests/core_project/example.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A project's folder with files; the variant's own text is given with each question.
class FurtherSources : public ::testing::Test {
protected:
    FurtherSources() {
        folder_ = fs::temp_directory_path() / ("kernelgen-sources-" + std::to_string(::getpid()));
        fs::remove_all(folder_);
        fs::create_directories(folder_ / "project");
        project_ = example_project();
        project_.folder = folder_ / "project";
    }
    ~FurtherSources() override { fs::remove_all(folder_); }

    Variant& variant() { return project_.variants[0]; }

    void file(const std::string& path, const std::string& text) {
        fs::create_directories((folder_ / "project" / path).parent_path());
        std::ofstream(folder_ / "project" / path, std::ios::binary) << text;
    }

    Result<SourceFiles> ask(const std::string& text) {
        return further_sources(project_, variant(), text, folder_reader(project_.folder));
    }

    std::vector<std::string> names(const std::string& text) {
        const Result<SourceFiles> found = ask(text);
        EXPECT_TRUE(found) << found.error().message;
        std::vector<std::string> names;
        for (const auto& [name, content] : found.value_or(SourceFiles())) names.push_back(name);
        return names;
    }

    std::string problem(const std::string& text) {
        const Result<SourceFiles> found = ask(text);
        return found ? "" : found.error().message;
    }

    fs::path folder_;
    Project project_;
};

TEST_F(FurtherSources, AreWhatItIncludesAndWhatThatIncludes) {
    file("helper.h", "#include \"deep/part.h\"\n");
    file("deep/part.h", "  #  include \"sibling.h\"  // beside it\n");
    file("deep/sibling.h", "#include \"../helper.h\"\nint x;\n");
    file("unrelated.h", "");
    EXPECT_THAT(names("#include <stdint.h>\n#include \"helper.h\"\n#include \"missing.h\"\n"),
                ElementsAre("deep/part.h", "deep/sibling.h", "helper.h"));
    EXPECT_EQ(ask("#include \"helper.h\"")->at("deep/sibling.h"), "#include \"../helper.h\"\nint x;\n");
    EXPECT_THAT(names("int no_include;"), IsEmpty());
}

TEST_F(FurtherSources, AreLookedForBesideTheFileThenInTheProjectsFolderThenWhereFlagsSay) {
    variant().source = "kernels/host.cpp";
    file("kernels/a.h", "");
    file("a.h", "");
    file("b.h", "");
    file("include/b.h", "");
    file("include/c.h", "");
    variant().flags = {"-Iinclude"};
    EXPECT_THAT(names("#include \"a.h\"\n#include \"b.h\"\n#include \"c.h\"\n"),
                ElementsAre("b.h", "include/c.h", "kernels/a.h"));
}

TEST_F(FurtherSources, InAngleBracketsAreThoseOfTheFlagsFolders) {
    file("helper.h", "");
    EXPECT_THAT(names("#include <helper.h>\n"), IsEmpty());
    variant().flags = {"-I."};
    EXPECT_THAT(names("#include <helper.h>\n"), ElementsAre("helper.h"));
    variant().flags = {"-I" + project_.folder.string()};
    EXPECT_THAT(names("#include <helper.h>\n"), ElementsAre("helper.h"));
}

TEST_F(FurtherSources, MayBeIncludedByAFlag) {
    file("settings.h", "");
    variant().flags = {"-includesettings.h"};
    EXPECT_THAT(names(""), ElementsAre("settings.h"));
}

TEST_F(FurtherSources, OutsideTheProjectAreNotItsOwn) {
    ASSERT_TRUE(write_file_atomic(folder_ / "outside.h", ""));
    EXPECT_THAT(names("#include \"../outside.h\"\n#include \"" + (folder_ / "outside.h").string() + "\"\n"), IsEmpty());
    file("project.h", "");
    EXPECT_THAT(names("#include \"" + (project_.folder / "project.h").string() + "\"\n"), ElementsAre("project.h"));
}

TEST_F(FurtherSources, ThatTheVariantListsBelongToItWhereverTheyAreUsed) {
    file("part.cpp", "#include \"part.h\"\n");
    file("part.h", "");
    file("table.txt", "1 2 3");
    variant().sources = {"part.cpp", "./table.txt"};
    EXPECT_THAT(names(""), ElementsAre("part.cpp", "part.h", "table.txt"));
    variant().sources = {"gone.cpp"};
    EXPECT_EQ(problem(""), "`sources` lists `gone.cpp`, which is no file of the project's folder");
}

TEST_F(FurtherSources, MayHaveSpacesAndLettersOfAnyAlphabetInTheirNames) {
    file("größe und form/头文件.h", "");
    EXPECT_THAT(names("#include \"größe und form/头文件.h\"\r\n"), ElementsAre("größe und form/头文件.h"));
}

TEST_F(FurtherSources, OfAnotherEncodingAreRefusedWithTheName) {
    file("latin.h",
         "// gr\xf6\xdf"
         "e\n");
    EXPECT_THAT(problem("#include \"latin.h\"\n"), HasSubstr("latin.h: it is not UTF-8 text; save it as UTF-8"));
    EXPECT_THAT(problem("#include \"latin.h\"\n"), HasSubstr("(`bias_add.cpp` includes it)"));
}

TEST_F(FurtherSources, OfTenMegabytesAreRefusedWithTheLimit) {
    file("large.h", std::string(10 << 20, ' '));
    EXPECT_THAT(problem("#include \"large.h\"\n"), HasSubstr("large.h is larger than 4096 KiB"));
}

TEST_F(FurtherSources, MayBeAThousandAndNotWithoutEnd) {
    std::string all;
    for (int i = 0; i < 2001; ++i) file("h/" + std::to_string(i) + ".h", "");
    for (int i = 0; i < 1000; ++i) all += "#include \"h/" + std::to_string(i) + ".h\"\n";
    EXPECT_EQ(names(all).size(), 1000u);
    for (int i = 1000; i < 2001; ++i) all += "#include \"h/" + std::to_string(i) + ".h\"\n";
    EXPECT_THAT(problem(all), HasSubstr("more than 2000 files"));
}

TEST_F(FurtherSources, ThatAreLinksOutOfTheProjectAreRefused) {
    ASSERT_TRUE(write_file_atomic(folder_ / "secret", "private"));
    fs::create_symlink("../secret", project_.folder / "helper.h");
    EXPECT_THAT(problem("#include \"helper.h\"\n"), HasSubstr("`helper.h` is a link that leads out of the project"));
    file("real.h", "");
    fs::create_symlink("real.h", project_.folder / "alias.h");
    EXPECT_THAT(names("#include \"alias.h\"\n"), ElementsAre("alias.h"));
    fs::create_directory_symlink("..", project_.folder / "up");
    EXPECT_THAT(problem("#include \"up/secret\"\n"), HasSubstr("leads out of the project"));
}

TEST_F(FurtherSources, AreNeitherFoldersNorTheProjectsOwnFiles) {
    fs::create_directories(project_.folder / "folder.h");
    file("project.json", "{}");
    EXPECT_THAT(names("#include \"folder.h\"\n#include \"project.json\"\n"), IsEmpty());
}

TEST_F(FurtherSources, OfPythonAreTheModulesThatItImports) {
    variant().language = Language::torch;
    variant().source = "op.py";
    file("helper.py", "from . import second\nimport torch\n");
    file("second.py", "");
    file("pack/__init__.py", "");
    file("pack/tiles.py", "from .sizes import (\n    SMALL,  # one\n    LARGE)\n");
    file("pack/sizes.py", "");
    file("pack/unused.py", "");
    EXPECT_THAT(names("import torch, helper as h\nfrom pack import tiles\n"),
                ElementsAre("helper.py", "pack/__init__.py", "pack/sizes.py", "pack/tiles.py", "second.py"));
    EXPECT_THAT(names("import pack.unused\n"), ElementsAre("pack/__init__.py", "pack/unused.py"));
    EXPECT_THAT(names("from .second import *\n"), ElementsAre("second.py"));
}

TEST_F(FurtherSources, OfPythonAreLookedForBesideTheSourceFirst) {
    variant().language = Language::triton;
    variant().source = "kernels/op.py";
    file("kernels/helper.py", "");
    file("helper.py", "");
    file("common.py", "");
    EXPECT_THAT(names("def f():\n    import helper\n    from common import x\n"),
                ElementsAre("common.py", "kernels/helper.py"));
}

TEST_F(FurtherSources, AreReadWithTheImplementation) {
    file("bias_add.cpp", "#include \"helper.h\"\n");
    file("helper.h", "int h;\n");
    const Result<Implementation> made = read_implementation(project_, variant());
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->text, "#include \"helper.h\"\n");
    EXPECT_EQ(made->files, (SourceFiles{{"helper.h", "int h;\n"}}));
    EXPECT_EQ(made->configuration.at("BLOCK_M"), 16);
}

TEST(TranslationUnits, AreListedSourcesOfTheLanguageThatNothingIncludes) {
    Implementation made{example_project().variants[0], "#include \"textual.cpp\"\n", {}};
    made.variant.sources = {"./part.cpp", "textual.cpp", "helper.h", "kernel.cu"};
    made.files = {{"part.cpp", ""}, {"textual.cpp", ""}, {"helper.h", ""}, {"kernel.cu", ""}, {"unlisted.cpp", ""}};
    EXPECT_THAT(translation_units(made), ElementsAre("part.cpp"));
    made.variant.language = Language::cuda;
    EXPECT_THAT(translation_units(made), ElementsAre("kernel.cu"));
}

TEST(HashOfSources, IsThatOfTheTextWhereThereIsOneFile) {
    Implementation made{example_project().variants[0], "text", {}};
    const std::string alone = hash_of_sources(made);
    made.files = {{"a.h", "1"}};
    const std::string with_header = hash_of_sources(made);
    EXPECT_NE(with_header, alone);
    made.files = {{"a.h", "2"}};
    EXPECT_NE(hash_of_sources(made), with_header);
    made.files = {{"b.h", "1"}};
    EXPECT_NE(hash_of_sources(made), with_header);
}

TEST(Includes, AreReadAsTheCompilerDoes) {
    const auto names_of = [](const std::string& text) {
        std::vector<std::string> names;
        for (const Include& each : includes_of(text)) names.push_back((each.quoted ? "\"" : "<") + each.name);
        return names;
    };
    EXPECT_THAT(names_of("\xef\xbb\xbf#include \"a.h\"\r\n\t# include\t<b/c.h> // x\n#include_next <d.h>"),
                ElementsAre("\"a.h", "<b/c.h", "<d.h"));
    EXPECT_THAT(
        names_of("#include MACRO\n#includes \"x.h\"\n// #include \"y.h\"\n#include \"\"\n#include \"open\nint i;"),
        IsEmpty());
}

TEST(Imports, AreReadWhereverTheyStand) {
    const std::vector<Import> imports = imports_of(
        "import a.b as c, d\nif x:\n    from ..e import (f,\n   g as h)\n"
        "from i import \\\n    j\n# import k\nimports = 3\nfrom . import l\n");
    ASSERT_EQ(imports.size(), 5u);
    EXPECT_EQ(imports[0].module, "a.b");
    EXPECT_EQ(imports[1].module, "d");
    EXPECT_EQ(imports[2].level, 2);
    EXPECT_EQ(imports[2].module, "e");
    EXPECT_THAT(imports[2].names, ElementsAre("f", "g"));
    EXPECT_THAT(imports[3].names, ElementsAre("j"));
    EXPECT_EQ(imports[4].level, 1);
    EXPECT_THAT(imports[4].names, ElementsAre("l"));
}

TEST(Project, ListsFurtherSourcesWithinItsFolder) {
    const Project project =
        parse_project(example_with("/variants/0/sources", {"helper.h", "part.cpp"}).dump(), "/project/project.json")
            .value();
    EXPECT_THAT(project.variants[0].sources, ElementsAre("helper.h", "part.cpp"));
    EXPECT_EQ(parse_project(project_text(project), "/project/project.json").value(), project);
}

TEST(Project, DoesNotListFurtherSourcesThatLeaveItsFolderOrAreListedTwice) {
    EXPECT_EQ(errors_of(example_with("/variants/0/sources", {"../helper.h"})),
              "variants[0].sources[0]: `../helper.h` leaves the project's folder\n");
    EXPECT_EQ(errors_of(example_with("/variants/0/sources", {"/etc/passwd"})),
              "variants[0].sources[0]: `/etc/passwd` is absolute; sources live in the project's folder\n");
    EXPECT_EQ(errors_of(example_with("/variants/0/sources", {"rounds/0/helper.h"})),
              "variants[0].sources[0]: `rounds/0/helper.h` is one of the project's own files\n");
    EXPECT_EQ(errors_of(example_with("/variants/0/sources", {"./bias_add.cpp"})),
              "variants[0].sources[0]: `./bias_add.cpp` is a source of this variant already; remove it here\n");
    EXPECT_THAT(errors_of(example_with("/variants/1/sources", {"helper.h"})), HasSubstr("has no meaning for language"));
}

TEST(Project, RefusesFlagsWhoseFolderOfHeadersLeavesIt) {
    EXPECT_THAT(errors_of(example_with("/variants/0/flags", {"-I../include"})),
                HasSubstr("`-I../include` leaves the project's folder: name what lies outside by an absolute path"));
    EXPECT_THAT(errors_of(example_with("/variants/0/flags", {"-I"})), HasSubstr("names nothing"));
    EXPECT_EQ(errors_of(example_with("/variants/0/flags", {"-Iinclude", "-isystem/opt/include", "-I."})), "");
}

}  // namespace
}  // namespace kernelgen
