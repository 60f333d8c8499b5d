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
    <name>kernelgen::studio::FormField</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
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
</TS>
