<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en_US">
<context>
    <name>ConsistencyWords</name>
    <message numerus="yes">
        <source>%n mismatch(es).</source>
        <translation>
            <numerusform>%n mismatch.</numerusform>
            <numerusform>%n mismatches.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DetailsPage</name>
    <message numerus="yes">
        <source>%n check(s) in %1</source>
        <translation>
            <numerusform>%n check in %1</numerusform>
            <numerusform>%n checks in %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportPage</name>
    <message numerus="yes">
        <source>A folder of problems: %n project(s)</source>
        <translation>
            <numerusform>A folder of problems: %n project</numerusform>
            <numerusform>A folder of problems: %n projects</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelPage</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n run(s))</source>
        <translation>
            <numerusform>%1 (%n run)</numerusform>
            <numerusform>%1 (%n runs)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelWords</name>
    <message numerus="yes">
        <source>the whole, median of %n run(s)</source>
        <translation>
            <numerusform>the whole, median of %n run</numerusform>
            <numerusform>the whole, median of %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call(s), each alone with cold caches</source>
        <translation>
            <numerusform>%n call, alone with cold caches</numerusform>
            <numerusform>%n calls, each alone with cold caches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>With %1 (`%2`, round %3, %4) at %n place(s): %5 becomes %6</source>
        <translation>
            <numerusform>With %1 (`%2`, round %3, %4) at %n place: %5 becomes %6</numerusform>
            <numerusform>With %1 (`%2`, round %3, %4) at %n places: %5 becomes %6</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::AssemblyPanel</name>
    <message numerus="yes">
        <source>%Ln row(s)</source>
        <translation>
            <numerusform>%Ln row</numerusform>
            <numerusform>%Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln difference(s)</source>
        <translation>
            <numerusform>%Ln difference</numerusform>
            <numerusform>%Ln differences</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ComparisonModel</name>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::GateWindow</name>
    <message numerus="yes">
        <source>%1: stored is round %2 of %3, with %n case(s). Check builds its sources again and times them in pairs with the present ones.</source>
        <translation>
            <numerusform>%1: stored is round %2 of %3, with %n case. Check builds its sources again and times them in pairs with the present ones.</numerusform>
            <numerusform>%1: stored is round %2 of %3, with %n cases. Check builds its sources again and times them in pairs with the present ones.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ListingModel</name>
    <message numerus="yes">
        <source>%Ln instruction(s)</source>
        <translation>
            <numerusform>%Ln instruction</numerusform>
            <numerusform>%Ln instructions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>function, %Ln line(s)</source>
        <translation>
            <numerusform>function, %Ln line</numerusform>
            <numerusform>function, %Ln lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>loop, %Ln line(s)</source>
        <translation>
            <numerusform>loop, %Ln line</numerusform>
            <numerusform>loop, %Ln lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>block, %Ln line(s)</source>
        <translation>
            <numerusform>block, %Ln line</numerusform>
            <numerusform>block, %Ln lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %Ln loop(s)</source>
        <translation>
            <numerusform>in %Ln loop</numerusform>
            <numerusform>in %Ln loops</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ModelWindow</name>
    <message numerus="yes">
        <source>gains the whole with %n project(s)</source>
        <translation>
            <numerusform>gains the whole with %n project</numerusform>
            <numerusform>gains the whole with %n projects</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::Notices</name>
    <message numerus="yes">
        <source>%n part(s) of project.json cannot be read; saving keeps them as they are</source>
        <translation>
            <numerusform>%n part of project.json cannot be read; saving keeps it as it is</numerusform>
            <numerusform>%n parts of project.json cannot be read; saving keeps them as they are</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::PatternLibrary</name>
    <message numerus="yes">
        <source>Imported %n pattern(s)</source>
        <translation>
            <numerusform>Imported %n pattern</numerusform>
            <numerusform>Imported %n patterns</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Exported %n pattern(s) of your own</source>
        <translation>
            <numerusform>Exported %n pattern of your own</numerusform>
            <numerusform>Exported %n patterns of your own</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ProjectFiles</name>
    <message numerus="yes">
        <source>Wrote %1 with %n chart(s)</source>
        <translation>
            <numerusform>Wrote %1 with %n chart</numerusform>
            <numerusform>Wrote %1 with %n charts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Generated %n source(s); edited ones were kept</source>
        <translation>
            <numerusform>Generated %n source; edited ones were kept</numerusform>
            <numerusform>Generated %n sources; edited ones were kept</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Forget the %n run(s) that wait in the queue?</source>
        <translation>
            <numerusform>Forget the run that waits in the queue?</numerusform>
            <numerusform>Forget the %n runs that wait in the queue?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::QueueDialog</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n that a restriction forbids is (are) left out</source>
        <translation>
            <numerusform>%n that a restriction forbids is left out</numerusform>
            <numerusform>%n that a restriction forbids are left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Queue %n run(s)</source>
        <translation>
            <numerusform>Queue %n run</numerusform>
            <numerusform>Queue %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::RulesDialog</name>
    <message numerus="yes">
        <source>They replace %n rule(s) that it has for these cases.</source>
        <translation>
            <numerusform>They replace the rule that it has for these cases.</numerusform>
            <numerusform>They replace the %n rules that it has for these cases.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rule(s) for other cases stay.</source>
        <translation>
            <numerusform>One rule for other cases stays.</numerusform>
            <numerusform>%n rules for other cases stay.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::Session</name>
    <message numerus="yes">
        <source>Compare %n variant(s) on %1</source>
        <translation>
            <numerusform>Compare %n variant on %1</numerusform>
            <numerusform>Compare %n variants on %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Verification after %n check(s) in %1 s: %2</source>
        <translation>
            <numerusform>Verification after %n check in %1 s: %2</numerusform>
            <numerusform>Verification after %n checks in %1 s: %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::SourceTabs</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::StoryCard</name>
    <message numerus="yes">
        <source>The optimisation ended after %n round(s): %1</source>
        <translation>
            <numerusform>The optimisation ended after %n round: %1</numerusform>
            <numerusform>The optimisation ended after %n rounds: %1</numerusform>
        </translation>
    </message>
</context>
</TS>
