// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/build_messages.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

#include "app/studio/application/text.h"
#include "core/listing/built_code.h"

namespace kernelgen::studio {

std::vector<CompilerMessage> BuildMessages::all() const {
    std::vector<CompilerMessage> result;
    BySource known = of_builds_;
    known.insert(of_run_.begin(), of_run_.end());
    for (const auto& [source, messages] : known) result.insert(result.end(), messages.begin(), messages.end());
    return result;
}

void BuildMessages::take(const std::string& source, const BuildResult& result,
                         const std::vector<std::string>& further) {
    if (result.status != Status::ok && result.status != Status::build_failed) return;
    std::vector<CompilerMessage> messages = result.messages;
    std::erase_if(messages, tells_of_missing_text);  // the assembly panel says so in its place
    for (CompilerMessage& each : messages) {
        if (each.file.empty()) each.file = source;
    }
    if (result.status == Status::build_failed &&
        std::ranges::find(messages, "error", &CompilerMessage::severity) == messages.end()) {
        messages.push_back({source, 0, 0, "error", result.reason});
    }
    of_run_.erase(source);
    for (const std::string& each : further) of_run_.erase(each);
    of_builds_.erase(source);
    if (!messages.empty()) of_builds_[source] = std::move(messages);
    emit changed();
}

void BuildMessages::takeRun(const std::string& reason) {
    static const QRegularExpression located(R"(^(.+?):(\d+):(\d+): (.*)$)");
    of_run_.clear();
    for (const QString& line : toQt(reason).split('\n')) {
        const QRegularExpressionMatch match = located.match(line);
        if (!match.hasMatch()) continue;
        const std::string file = match.captured(1).toStdString();
        of_run_[file].push_back(
            {file, match.captured(2).toInt(), match.captured(3).toInt(), "error", match.captured(4).toStdString()});
    }
    emit changed();
}

void BuildMessages::clear() {
    of_builds_.clear();
    of_run_.clear();
    emit changed();
}

}  // namespace kernelgen::studio
