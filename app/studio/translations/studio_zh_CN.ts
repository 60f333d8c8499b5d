<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About KernelGen Studio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From an operator&apos;s definition to a kernel that is verified, timed honestly, and documented.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The window is licensed under the GPL, version 3 or later; the engine and the command line under the Apache License 2.0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Built with Qt %1, QCustomPlot (GPL-3.0) and KSyntaxHighlighting (MIT).</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BackgroundBuild</name>
    <message>
        <source>%1 (case %2)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BestComparison</name>
    <message>
        <source>Tunables now and in the best round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No round of this variant is ok on %1 yet: F5 runs one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best is %1, with a speedup of %2 [%3, %4]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;a href=&quot;%1&quot;&gt;round %1&lt;/a&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tunable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not there</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BuildCard</name>
    <message>
        <source>Registers per thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spilled bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shared memory per block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Occupancy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, 1 warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 warnings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Build</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State of the build</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to build</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not built: the project has errors, which Problems lists</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restricted, so not built</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not built yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Building, %1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Built, from the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Built in %1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restricted: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not built: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shown %1 ms after it was asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DetailsPage</name>
    <message>
        <source>Variant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, since round %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, not reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>candidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>baseline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Case</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of ceiling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, seed %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 of %L2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First mismatches: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Element</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Actual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n check(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Max error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Max relative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mismatches</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n more check(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Worked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The rest is in rounds/%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Environment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Caches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Instruction set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Driver</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the full record…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the summary is left: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DifferencePage</name>
    <message>
        <source>devices %1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>baselines %1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the environments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No case was timed in both rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparable: same device, baseline and environment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not comparable: they differ in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, round %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ratio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Case</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Body</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What changed is not known: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the full records…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DifferenceView</name>
    <message>
        <source>Round to compare with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The selected round is compared with this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Difference of two rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Since &amp;round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a round to see what it changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No round came before; choose one to compare with</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>The round was not recorded: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Match case</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With regular expressions \1 … \9 stand for what groups matched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace this match and go to the next (Return)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace every match of this source; one undo takes it back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not an expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replaced 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replaced %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LessonsForm</name>
    <message>
        <source>Record lessons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Worked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What made it faster, and why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What did not, and why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ne&amp;xt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to try in the next round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write them into the history, for the log; together at most some 2,000 characters</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LineBar</name>
    <message>
        <source>Go to line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 … %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tunables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;New project…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open project…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the project and its sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A copy in another folder, without its rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;vert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to what is on disk; can be undone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export the log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write optimization_log.md with its charts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Close project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in the source that is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find and re&amp;place…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to &amp;line…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter &amp;rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verify and &amp;bench</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verify the variant, time it against its baseline, record a round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Verify only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check accuracy; records nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>B&amp;uild</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Build the variant as it stands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the run; what is under way is recorded as cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the &amp;note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why the next round is made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the best round&apos;s &amp;tunables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reset tunables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The values that are saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Generate sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the generated sources again from the definition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Measure ceilings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure what the device can reach; some ten seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R&amp;ounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Restore the selected round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its tunables and sources become the project&apos;s; can be undone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Main toolbar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Default layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every panel back in its place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fit chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all of the chart that was used last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart &amp;legend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save chart &amp;as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As PNG, SVG or PDF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About KernelGen Studio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opened %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The project cannot be opened:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projects (project.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as: a new folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reverted; Ctrl+Z brings the changes back</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Wrote %1 with %n chart(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Generated %n source(s); edited ones were kept</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Restored round %1; Ctrl+Z takes it back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A run is under way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the run? It is recorded as cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the changes to %1?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProjectDocument</name>
    <message>
        <source>revert to what is saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>revert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 = %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generate sources</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RoundDetails</name>
    <message>
        <source>Details of the round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a round to see all of it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RoundsModel</name>
    <message>
        <source>Not timed: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the slowest case, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the slowest case, with its 95 % interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Against the parent round, where both may be compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Effective bandwidth of the slowest case</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of what the device was measured to reach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of ceiling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kind of change since the parent round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RoundsPanel</name>
    <message>
        <source>Filter rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rounds that have this text in any column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore this round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its tunables and sources become the project&apos;s; can be undone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With the other marked round, or with its parent; Ctrl and a click mark a second one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The marked rounds, for a spreadsheet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round %1 is running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rounds: %L1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 of %L2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No round matches the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No rounds yet. F5 verifies and times the variant, and records the first one</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunBar</name>
    <message>
        <source>Variant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The variant under work: its tunables are on the right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where it runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why the next round is made; the log prints it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 s left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>Opened %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no project is open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verify and bench: %1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verify: %1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>round %1 cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the project has no variant `%1` any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restore round %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verification: %1 after %2 checks in %3 s. %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round %1: %2. %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where variants run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system&apos;s g++</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C++ compiler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A program on PATH or a path; empty for the system&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Worker command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reaches the worker elsewhere, such as: ssh box kernelgen worker; empty for this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time limit of a call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A kernel that takes longer is killed: timed_out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New projects begin with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>flushed before each sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Caches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether timing begins with cold caches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time budget of a case</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sampling goes on until the interval is within ±1 %, or this long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System follows the desktop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the window and of exported logs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not found: install it, or give its path</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SideBar</name>
    <message>
        <source>Line numbers</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SourceEditor</name>
    <message>
        <source>Source %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SourceTabs</name>
    <message>
        <source>Sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source of %1
%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Modified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This source cannot be read: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The variant %1 is %2 of the library %3: it has no source to edit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No variant has a source. Generate sources from the definition with Run &gt; Generate sources.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TextCommand</name>
    <message>
        <source>edit of the source</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TunableRow</name>
    <message>
        <source>%1 slider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 can be %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not allowed: the nearest is %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TunablesPanel</name>
    <message>
        <source>Restriction that does not hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the values of the best round on this device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the values that are saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a project to tune its variants.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No variant of this project runs on %1. Choose another device above, or write one with Run &gt; Generate sources.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is a primitive of the library %2: there is nothing to tune. Choose another variant above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no tunables. Give it some under &quot;tunables&quot; in project.json, or choose another variant above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. A run would be recorded as restricted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reset tunables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>take the tunables of round %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>Open a project, move its tile sliders, press F5: the kernel is built, verified against a float64 reference, timed against its baseline and placed on the roofline. Ctrl+E writes the log.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a project…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New project…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples, each opened as a copy of your own in %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>ok</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unavailable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restricted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>build failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>over limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>launch failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>crashed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>timed out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>out of bounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>input modified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unwritten</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mismatch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nondeterministic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
