<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Bindings</name>
    <message>
        <source>`%1` is not a number such as 1.05</source>
        <translation>`%1` 不是数值（例如 1.05）</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>An identifier</source>
        <translation>须为标识符</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>What the operator is for; the definition document says it</source>
        <translation>算子的用途；写入算子定义文档</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参考实现</translation>
    </message>
    <message>
        <source>The variant that the others are judged by</source>
        <translation>用于判定其他实现正确性的实现</translation>
    </message>
    <message>
        <source>Definition</source>
        <translation>定义文件</translation>
    </message>
    <message>
        <source>The Python file with the reference and the inputs</source>
        <translation>含参考与输入的 Python 文件</translation>
    </message>
    <message>
        <source>Body</source>
        <translation>计算公式</translation>
    </message>
    <message>
        <source>Assignments, one a line or separated by ;
+ - * / ** comparisons, c ? a : b, exp log sqrt rsqrt tanh sigmoid erf abs min max clamp …
over the last axis: row_sum row_max row_min row_mean row_var
products of matrices: a @ b, a @ transpose(b)</source>
        <translation>赋值语句，每行一条，或用 ; 分隔
+ - * / ** 比较运算，c ? a : b，exp log sqrt rsqrt tanh sigmoid erf abs min max clamp …
沿最后一维归约：row_sum row_max row_min row_mean row_var
矩阵乘积：a @ b，a @ transpose(b)</translation>
    </message>
    <message>
        <source>Arithmetic</source>
        <translation>计算精度</translation>
    </message>
    <message>
        <source>The precision in which the body is computed</source>
        <translation>计算公式所用的精度</translation>
    </message>
    <message>
        <source>Sums of products</source>
        <translation>乘积的累加</translation>
    </message>
    <message>
        <source>f22: as tensor cores of sm_90a add products of 8 bits; verification allows what that may cost</source>
        <translation>f22：按 sm_90a 张量核心对 8 位操作数的方式累加乘积；验证允许由此可能产生的误差</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Baseline on %1</source>
        <translation>%1 上的基准</translation>
    </message>
    <message>
        <source>The variant that speedup is measured against</source>
        <translation>计算加速比时所对比的实现</translation>
    </message>
    <message>
        <source>Target speedup</source>
        <translation>目标加速比</translation>
    </message>
    <message>
        <source>Reached when the interval&apos;s lower end is at or above it in every case</source>
        <translation>每个测例的置信区间下限均不低于该值时视为达到目标</translation>
    </message>
    <message>
        <source>Rounds at most</source>
        <translation>最大轮数</translation>
    </message>
    <message>
        <source>How many rounds the optimization is to take</source>
        <translation>优化最多进行的轮数</translation>
    </message>
    <message>
        <source>`%1` is not a whole number</source>
        <translation>`%1` 不是整数</translation>
    </message>
    <message>
        <source>Seconds a case</source>
        <translation>每个测例的秒数</translation>
    </message>
    <message>
        <source>Sampling goes on until the interval is within ±1 %, or this long</source>
        <translation>采样持续到置信区间在 ±1 % 以内，或达到此时长</translation>
    </message>
    <message>
        <source>Caches</source>
        <translation>样本间缓存状态</translation>
    </message>
    <message>
        <source>Whether timing begins with cold caches</source>
        <translation>计时是否从冷缓存开始</translation>
    </message>
    <message>
        <source>as the dtype asks</source>
        <translation>由测例的数据类型决定</translation>
    </message>
    <message>
        <source>as the arithmetic</source>
        <translation>与计算精度相同</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>flushed before each sample</source>
        <translation>每次采样前刷新</translation>
    </message>
    <message>
        <source>warm</source>
        <translation>热</translation>
    </message>
</context>
<context>
    <name>CardWords</name>
    <message>
        <source>doubt</source>
        <translation>存疑</translation>
    </message>
    <message>
        <source>gain not known</source>
        <translation>提升未知</translation>
    </message>
    <message>
        <source>up to %1×</source>
        <translation>最多 %1×</translation>
    </message>
    <message>
        <source>What can be tried besides</source>
        <translation>其他可尝试的策略</translation>
    </message>
    <message>
        <source>nothing to gain</source>
        <translation>无提升空间</translation>
    </message>
</context>
<context>
    <name>ChartStyle</name>
    <message>
        <source>Hollow: noisy</source>
        <translation>空心：噪声大</translation>
    </message>
</context>
<context>
    <name>ChartText</name>
    <message>
        <source>%1, baseline %2</source>
        <translation>%1，基准 %2</translation>
    </message>
    <message>
        <source>ceilings were not measured</source>
        <translation>设备上限尚未测量</translation>
    </message>
    <message>
        <source>Round %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>实现</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>参数配置</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>噪声</translation>
    </message>
</context>
<context>
    <name>ComparisonWords</name>
    <message>
        <source>%1, all against %2, %3</source>
        <translation>%1，均与 %2 对比，%3</translation>
    </message>
</context>
<context>
    <name>ConsistencyWords</name>
    <message>
        <source>tunables</source>
        <translation>可调参数</translation>
    </message>
    <message>
        <source>implementation</source>
        <translation>实现代码</translation>
    </message>
    <message>
        <source>interface</source>
        <translation>接口</translation>
    </message>
    <message>
        <source>logic</source>
        <translation>计算逻辑</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message numerus="yes">
        <source>%n mismatch(es).</source>
        <translation>
            <numerusform>发现 %n 处不一致。</numerusform>
        </translation>
    </message>
    <message>
        <source>Kind of change: %1. Not in step with the project: %2.</source>
        <translation>修改类型：%1。与项目不同步：%2。</translation>
    </message>
    <message>
        <source>The definition and all files agree.</source>
        <translation>算子定义与所有文件一致。</translation>
    </message>
    <message>
        <source>%1  edited by a person: left as it is</source>
        <translation>%1  已经人工编辑：保持不变</translation>
    </message>
    <message>
        <source>%1  behind the project: %2</source>
        <translation>%1  落后于项目：%2</translation>
    </message>
    <message>
        <source>Install Python 3.10 or newer, or name the interpreter under Edit &gt; Settings &gt; Python. PyTorch and Triton are not needed to compare files.</source>
        <translation>请安装 Python 3.10 或更高版本，或在“编辑 &gt; 设置 &gt; Python”中指定解释器。比较文件不需要 PyTorch 和 Triton。</translation>
    </message>
</context>
<context>
    <name>DetailsPage</name>
    <message>
        <source>Variant</source>
        <translation>实现</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>参数配置</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>修改</translation>
    </message>
    <message>
        <source>%1, since round %2</source>
        <translation>%1，相对第 %2 轮</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>%1, reached</source>
        <translation>%1，已达到</translation>
    </message>
    <message>
        <source>%1, not reached</source>
        <translation>%1，未达到</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>candidate</source>
        <translation>候选</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>性能</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>测例</translation>
    </message>
    <message>
        <source>%1, seed %2</source>
        <translation>%1，种子 %2</translation>
    </message>
    <message>
        <source>%L1 of %L2</source>
        <translation>%L1 / %L2</translation>
    </message>
    <message>
        <source>First mismatches: %1</source>
        <translation>首批不符元素：%1</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>期望值</translation>
    </message>
    <message>
        <source>Actual</source>
        <translation>实际值</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>What the builds take</source>
        <translation>编译结果的资源占用</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>经验总结</translation>
    </message>
    <message>
        <source>Worked</source>
        <translation>成功经验</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败教训</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>后续优化方向</translation>
    </message>
    <message>
        <source>Kernel output</source>
        <translation>内核输出</translation>
    </message>
    <message>
        <source>The rest is in rounds/%1</source>
        <translation>其余内容见 rounds/%1</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>测试环境</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程数</translation>
    </message>
    <message>
        <source>Caches</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Clocks</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>Instruction set</source>
        <translation>指令集</translation>
    </message>
    <message>
        <source>System</source>
        <translation>操作系统</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>编译器</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>库</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>驱动</translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation>环境指纹</translation>
    </message>
    <message>
        <source>Round %1: %2</source>
        <translation>第 %1 轮：%2</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>Reading the full record…</source>
        <translation>正在读取完整记录…</translation>
    </message>
    <message>
        <source>Only the summary is left: %1</source>
        <translation>仅剩摘要：%1</translation>
    </message>
    <message>
        <source>Time of one call</source>
        <translation>单次调用耗时</translation>
    </message>
    <message>
        <source>Side</source>
        <translation>对比方</translation>
    </message>
    <message>
        <source>Further checks: %1</source>
        <translation>其余检查：%1 项</translation>
    </message>
    <message>
        <source>Likely causes</source>
        <translation>可能的原因</translation>
    </message>
    <message>
        <source>%1 (%2 %)</source>
        <translation>%1（%2 %）</translation>
    </message>
    <message>
        <source>Smallest failing: %1</source>
        <translation>最小的失败尺寸：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n check(s) in %1</source>
        <translation>
            <numerusform>共 %n 项检查，耗时 %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DifferencePage</name>
    <message>
        <source>devices %1 and %2</source>
        <translation>设备 %1 与 %2</translation>
    </message>
    <message>
        <source>baselines %1 and %2</source>
        <translation>基准 %1 与 %2</translation>
    </message>
    <message>
        <source>the environments</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>性能数据</translation>
    </message>
    <message>
        <source>No case was timed in both rounds</source>
        <translation>没有在两轮中均完成计时的测例</translation>
    </message>
    <message>
        <source>Comparable: same device, baseline and environment</source>
        <translation>可比较：设备、基准和环境均相同</translation>
    </message>
    <message>
        <source>Not comparable: they differ in %1</source>
        <translation>不可比较：两轮的差异在于%1</translation>
    </message>
    <message>
        <source>Ratio</source>
        <translation>比值</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>测例</translation>
    </message>
    <message>
        <source>Nothing changed</source>
        <translation>没有差异</translation>
    </message>
    <message>
        <source>Kind of change</source>
        <translation>修改类型</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Round %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>Body</source>
        <translation>计算公式</translation>
    </message>
    <message>
        <source>Source %1</source>
        <translation>源代码 %1</translation>
    </message>
    <message>
        <source>What changed is not known: %1</source>
        <translation>差异未知：%1</translation>
    </message>
    <message>
        <source>Reading the full records…</source>
        <translation>正在读取完整记录…</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
</context>
<context>
    <name>EngineWords</name>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>Verifying</source>
        <translation>正在验证</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>正在计时</translation>
    </message>
    <message>
        <source>Measuring ceilings</source>
        <translation>正在测量设备上限</translation>
    </message>
    <message>
        <source>Building</source>
        <translation>正在编译</translation>
    </message>
    <message>
        <source>Waiting for another kernelgen that builds or measures: %1</source>
        <translation>等待另一个正在编译或测量的 kernelgen：%1</translation>
    </message>
    <message>
        <source>Across the cases: %1</source>
        <translation>各测例间：%1</translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>正在搜索</translation>
    </message>
    <message>
        <source>Racing the best again</source>
        <translation>正在复赛最优配置</translation>
    </message>
    <message>
        <source>Tuning</source>
        <translation>调优</translation>
    </message>
    <message>
        <source>Racing</source>
        <translation>正在比赛</translation>
    </message>
    <message>
        <source>Measuring the model&apos;s operators</source>
        <translation>正在测量模型的算子</translation>
    </message>
    <message>
        <source>Looking for why it is wrong</source>
        <translation>查找出错原因</translation>
    </message>
    <message>
        <source>Looking for the smallest failing sizes</source>
        <translation>查找最小的失败尺寸</translation>
    </message>
    <message>
        <source>Tuning %1: %2</source>
        <translation>调优 %1：%2</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
</context>
<context>
    <name>HelpPages</name>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Menu or panel</source>
        <translation>菜单或面板</translation>
    </message>
    <message>
        <source>What each number means</source>
        <translation>各数值的含义</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>含义</translation>
    </message>
</context>
<context>
    <name>HtmlPage</name>
    <message>
        <source>Further lines: %1</source>
        <translation>其余 %1 行</translation>
    </message>
</context>
<context>
    <name>ImportPage</name>
    <message>
        <source>%1, by torch.compile</source>
        <translation>%1，经 torch.compile 编译</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>实现</translation>
    </message>
    <message>
        <source>Function or class</source>
        <translation>函数或类</translation>
    </message>
    <message>
        <source>Defined by</source>
        <translation>定义文件</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Body</source>
        <translation>计算公式</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参考实现</translation>
    </message>
    <message>
        <source>Tunables</source>
        <translation>可调参数</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>取值</translation>
    </message>
    <message>
        <source>In the file</source>
        <translation>文件中的值</translation>
    </message>
    <message>
        <source>Cases</source>
        <translation>测例</translation>
    </message>
    <message>
        <source>None was found: the definition gets them later.</source>
        <translation>未找到：稍后可在算子定义中添加。</translation>
    </message>
    <message>
        <source>Everything in these files was understood</source>
        <translation>这些文件的内容已全部识别</translation>
    </message>
    <message>
        <source>Understood, but for what stands below</source>
        <translation>已识别，以下内容除外</translation>
    </message>
    <message>
        <source>Not understood, or assumed</source>
        <translation>未识别或作出假设的内容</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Rewritten in the project&apos;s copy</source>
        <translation>项目副本中改写的内容</translation>
    </message>
    <message>
        <source>This cannot be imported yet</source>
        <translation>尚无法导入</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message numerus="yes">
        <source>A folder of problems: %n project(s)</source>
        <translation>
            <numerusform>一个问题文件夹：%n 个项目</numerusform>
        </translation>
    </message>
    <message>
        <source>Each file becomes a project, in a folder of its name. The first is opened; the others are beside it. kernelgen run --each FOLDER runs them all, and tells how many are right and how many faster.</source>
        <translation>每个文件成为一个项目，位于以其命名的文件夹中。第一个会被打开，其余在它旁边。kernelgen run --each 文件夹 会运行全部项目，并说明有多少正确、多少更快。</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>略去的</translation>
    </message>
</context>
<context>
    <name>LogCharts</name>
    <message>
        <source>Speedup across rounds</source>
        <translation>各轮加速比</translation>
    </message>
    <message>
        <source>Roofline of %1</source>
        <translation>%1 的 Roofline</translation>
    </message>
    <message>
        <source>Size against efficiency on %1</source>
        <translation>%1 上的规模与效率</translation>
    </message>
    <message>
        <source>Latency of round %1: %2</source>
        <translation>第 %1 轮的延迟：%2</translation>
    </message>
    <message>
        <source>Errors of round %1: %2</source>
        <translation>第 %1 轮的误差：%2</translation>
    </message>
</context>
<context>
    <name>ModelPage</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOPs</translation>
    </message>
    <message>
        <source>Bytes read</source>
        <translation>读取字节</translation>
    </message>
    <message>
        <source>Bytes written</source>
        <translation>写入字节</translation>
    </message>
    <message>
        <source>In the whole</source>
        <translation>在整体中</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1：%3 中的 %2</translation>
    </message>
    <message>
        <source>Whole gains</source>
        <translation>整体收益</translation>
    </message>
    <message>
        <source>%1 if these calls reached their ceiling</source>
        <translation>%1（若这些调用达到其上限）</translation>
    </message>
    <message>
        <source>not known: the device&apos;s ceilings were not measured</source>
        <translation>未知：尚未测量设备的上限</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>It draws random numbers: no project can be made of it.</source>
        <translation>它会抽取随机数：无法由它生成项目。</translation>
    </message>
    <message>
        <source>One call</source>
        <translation>单次调用</translation>
    </message>
    <message>
        <source>Each uses what one before it made: they may become one kernel.</source>
        <translation>每个调用都使用前面调用的结果：它们可以合成一个内核。</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>The calls of the first place</source>
        <translation>首个位置的调用</translation>
    </message>
    <message>
        <source>As one kernel</source>
        <translation>作为一个内核</translation>
    </message>
    <message>
        <source>Time of these calls</source>
        <translation>这些调用的时间</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n run(s))</source>
        <translation>
            <numerusform>%1（%n 次运行）</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelWords</name>
    <message>
        <source>not counted</source>
        <translation>未计数</translation>
    </message>
    <message>
        <source>%1 % of memory</source>
        <translation>内存 %1 %</translation>
    </message>
    <message>
        <source>%1 % of FLOPs</source>
        <translation>FLOPs %1 %</translation>
    </message>
    <message numerus="yes">
        <source>the whole, median of %n run(s)</source>
        <translation>
            <numerusform>整体，%n 次运行的中位数</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call(s), each alone with cold caches</source>
        <translation>
            <numerusform>%n 次调用，每次单独执行，冷缓存</numerusform>
        </translation>
    </message>
    <message>
        <source>more than the whole: shares are of this sum</source>
        <translation>超出整体：占比以调用之和为准</translation>
    </message>
    <message>
        <source>of the whole lie between them</source>
        <translation>整体中处于调用之间的时间</translation>
    </message>
    <message numerus="yes">
        <source>With %1 (`%2`, round %3, %4) at %n place(s): %5 becomes %6</source>
        <translation>
            <numerusform>换用 %1（`%2`，第 %3 轮，%4），共 %n 处：%5 变为 %6</numerusform>
        </translation>
    </message>
    <message>
        <source>The whole: %1 becomes %2, %3, by the shares below</source>
        <translation>整体：%1 变为 %2，%3，按下面的占比</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Number of the first call, in the order of execution</source>
        <translation>首个调用的编号，按执行顺序</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>How often the model makes it</source>
        <translation>模型执行它的次数</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>As PyTorch&apos;s dispatcher sees it</source>
        <translation>PyTorch 分派器所见的名称</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>The module whose forward makes the call</source>
        <translation>在其 forward 中发出调用的模块</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Dtypes and shapes of the tensors that it takes</source>
        <translation>所取张量的数据类型与形状</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Median of one call alone, with cold caches</source>
        <translation>单次调用单独执行时间的中位数，冷缓存</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOPs</translation>
    </message>
    <message>
        <source>Of one call</source>
        <translation>单次调用</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Of one call: each tensor that it reads or writes, once</source>
        <translation>单次调用：读或写的每个张量计一次</translation>
    </message>
    <message>
        <source>FLOP/B</source>
        <translation>FLOP/B</translation>
    </message>
    <message>
        <source>Arithmetic intensity: FLOPs over bytes</source>
        <translation>计算密度：FLOPs 除以字节数</translation>
    </message>
    <message>
        <source>Reached</source>
        <translation>达到</translation>
    </message>
    <message>
        <source>Share of the roofline, and which ceiling is the lower one</source>
        <translation>占 Roofline 的比例，以及较低的是哪个上限</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Of the whole&apos;s time, all these calls together</source>
        <translation>这些调用合计占整体时间的比例</translation>
    </message>
    <message>
        <source>Whole gains</source>
        <translation>整体收益</translation>
    </message>
    <message>
        <source>The whole&apos;s speedup if these calls reached their ceiling (Amdahl)</source>
        <translation>若这些调用达到其上限，整体的加速比（Amdahl）</translation>
    </message>
</context>
<context>
    <name>NoiseWords</name>
    <message>
        <source>the samples&apos; RSD is %1 %, over %2 %</source>
        <translation>样本的相对标准差为 %1 %，超过 %2 %</translation>
    </message>
    <message>
        <source>the interval holds 1, so neither side is known to be faster</source>
        <translation>区间包含 1，无法断定哪一方更快</translation>
    </message>
    <message>
        <source>Noisy: %1</source>
        <translation>噪声大：%1</translation>
    </message>
</context>
<context>
    <name>QueuePlanner</name>
    <message>
        <source>Mark a device</source>
        <translation>请勾选一个设备</translation>
    </message>
    <message>
        <source>Mark a case</source>
        <translation>请勾选一个测例</translation>
    </message>
    <message>
        <source>Mark a value of %1</source>
        <translation>请勾选 %1 的一个值</translation>
    </message>
    <message>
        <source>The worker has not told its devices yet</source>
        <translation>工作进程尚未报告其设备</translation>
    </message>
    <message>
        <source>More than %1 combinations: mark fewer values, or let F7 search them</source>
        <translation>超过 %1 种组合：请少勾选一些值，或用 F7 搜索</translation>
    </message>
    <message>
        <source>More than %1 runs: mark fewer values, or let F7 search them</source>
        <translation>超过 %1 次运行：请少勾选一些值，或用 F7 搜索</translation>
    </message>
    <message>
        <source>The variant&apos;s restrictions forbid all of them</source>
        <translation>该实现的约束禁止了所有组合</translation>
    </message>
</context>
<context>
    <name>QuickFixes</name>
    <message>
        <source>Write %1 in place of %2</source>
        <translation>把 %2 改为 %1</translation>
    </message>
    <message>
        <source>Add %1 as an input</source>
        <translation>把 %1 添加为输入</translation>
    </message>
</context>
<context>
    <name>SourceSets</name>
    <message>
        <source>Accuracy test of %1</source>
        <translation>%1 的精度测试</translation>
    </message>
    <message>
        <source>Performance test of %1</source>
        <translation>%1 的性能测试</translation>
    </message>
    <message>
        <source>Source of %1</source>
        <translation>%1 的源代码</translation>
    </message>
</context>
<context>
    <name>StatusWords</name>
    <message>
        <source>ok</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>unavailable</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>restricted</source>
        <translation>违反限制</translation>
    </message>
    <message>
        <source>build failed</source>
        <translation>编译失败</translation>
    </message>
    <message>
        <source>over limit</source>
        <translation>超出限制</translation>
    </message>
    <message>
        <source>launch failed</source>
        <translation>启动失败</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>out of bounds</source>
        <translation>越界</translation>
    </message>
    <message>
        <source>input modified</source>
        <translation>输入被修改</translation>
    </message>
    <message>
        <source>unwritten</source>
        <translation>未写入</translation>
    </message>
    <message>
        <source>mismatch</source>
        <translation>结果不符</translation>
    </message>
    <message>
        <source>nondeterministic</source>
        <translation>结果不一致</translation>
    </message>
    <message>
        <source>implausible</source>
        <translation>不可信</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
</context>
<context>
    <name>StrategyWords</name>
    <message>
        <source>expected %1, %2</source>
        <translation>预期 %1，%2</translation>
    </message>
</context>
<context>
    <name>TableContent</name>
    <message>
        <source>Cases</source>
        <translation>测例</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Dtype</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>`%1` is not a whole number below 2^63</source>
        <translation>`%1` 不是小于 2^63 的整数</translation>
    </message>
    <message>
        <source>Tolerances</source>
        <translation>精度要求</translation>
    </message>
    <message>
        <source>Output dtype</source>
        <translation>输出数据类型</translation>
    </message>
    <message>
        <source>rtol</source>
        <translation>rtol</translation>
    </message>
    <message>
        <source>atol</source>
        <translation>atol</translation>
    </message>
    <message>
        <source>`%1` is no number such as 1e-5, no integer, and not true or false</source>
        <translation>`%1` 不是数值（例如 1e-5）、整数，也不是 true 或 false</translation>
    </message>
    <message>
        <source>`%1` is not a number such as 1e-5</source>
        <translation>`%1` 不是数值（例如 1e-5）</translation>
    </message>
    <message>
        <source>`%1` %2</source>
        <translation>`%1` %2</translation>
    </message>
    <message>
        <source>Symbols</source>
        <translation>维度符号</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>the case&apos;s</source>
        <translation>同测例</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>取值范围</translation>
    </message>
    <message>
        <source>any</source>
        <translation>任意</translation>
    </message>
    <message>
        <source>`%1` is no domain such as `positive`, `-1..1` or `integers 0..9`</source>
        <translation>`%1` 不是取值范围，例如 `positive`、`-1..1` 或 `integers 0..9`</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Constraints</source>
        <translation>约束条件</translation>
    </message>
    <message>
        <source>Condition on the symbols</source>
        <translation>维度符号须满足的条件</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
</context>
<context>
    <name>TextCommand</name>
    <message>
        <source>edit of the source</source>
        <translation>编辑源代码</translation>
    </message>
</context>
<context>
    <name>TuningCharts</name>
    <message>
        <source>%1: tuning %2 of %3 on %4, %5</source>
        <translation>%1：调优 %2，%3（%4），%5</translation>
    </message>
    <message>
        <source>Best by two tunables</source>
        <translation>两个参数下的最优</translation>
    </message>
    <message>
        <source>Best so far</source>
        <translation>目前最优</translation>
    </message>
    <message>
        <source>All configurations</source>
        <translation>全部配置</translation>
    </message>
    <message>
        <source>Parallel coordinates</source>
        <translation>平行坐标</translation>
    </message>
    <message>
        <source>Which tunable matters</source>
        <translation>参数重要性</translation>
    </message>
    <message>
        <source>Time against memory</source>
        <translation>时间与内存</translation>
    </message>
</context>
<context>
    <name>TuningWords</name>
    <message>
        <source>memory %1</source>
        <translation>内存 %1</translation>
    </message>
    <message>
        <source>Time of one call</source>
        <translation>单次调用耗时</translation>
    </message>
    <message>
        <source>Objective: %1</source>
        <translation>目标：%1</translation>
    </message>
    <message>
        <source>%1, %2 as fast as the present configuration</source>
        <translation>%1，速度为当前配置的 %2</translation>
    </message>
    <message>
        <source>clearly slower than the best before it, and sampled no further</source>
        <translation>明显慢于此前的最优，未继续采样</translation>
    </message>
    <message>
        <source>number %1, after %2; built in %3</source>
        <translation>第 %1 个，%2 时得出；编译用时 %3</translation>
    </message>
    <message>
        <source>%1 on %2, %3: %4 of %5 configurations tried, %6 failed, %7 pruned</source>
        <translation>%1（%2），%3：已试 %4/%5 个配置，%6 个失败，剪除 %7 个</translation>
    </message>
    <message>
        <source>Left out for want of time: %1</source>
        <translation>因时间不足而省略：%1</translation>
    </message>
    <message>
        <source>Not ended: Continue goes on with it</source>
        <translation>尚未结束：点“继续”接着进行</translation>
    </message>
    <message>
        <source>Failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>Winner</source>
        <translation>胜者</translation>
    </message>
    <message>
        <source>Tie</source>
        <translation>平局</translation>
    </message>
    <message>
        <source>never tried: about %1 (%2)</source>
        <translation>未尝试：约 %1 个（%2）</translation>
    </message>
    <message>
        <source>never tried: %1 (%2)</source>
        <translation>未尝试：%1 个（%2）</translation>
    </message>
    <message>
        <source>%1 tried</source>
        <translation>已试 %1 个</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 个失败</translation>
    </message>
    <message>
        <source>%1 pruned</source>
        <translation>剪除 %1 个</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1 个</translation>
    </message>
    <message>
        <source>best %1</source>
        <translation>最佳 %1</translation>
    </message>
    <message>
        <source>%1 to go</source>
        <translation>还需 %1</translation>
    </message>
    <message>
        <source>energy %1</source>
        <translation>能耗 %1</translation>
    </message>
    <message>
        <source>strategy %1, seed %2</source>
        <translation>策略 %1，随机种子 %2</translation>
    </message>
    <message>
        <source>budget %1</source>
        <translation>预算 %1</translation>
    </message>
    <message>
        <source>at most %1 configurations</source>
        <translation>最多 %1 个配置</translation>
    </message>
    <message>
        <source>Not decided</source>
        <translation>未能判定</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>目标</translation>
    </message>
</context>
<context>
    <name>WindowCommand</name>
    <message>
        <source>Nothing to do it with now</source>
        <translation>现在没有可用的对象</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>first</source>
        <translation>首轮</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::AboutDialog</name>
    <message>
        <source>About KernelGen Studio</source>
        <translation>关于 KernelGen Studio</translation>
    </message>
    <message>
        <source>From an operator&apos;s definition to a kernel that is verified, timed honestly, and documented.</source>
        <translation>从算子定义出发，得到通过验证、如实计时并有完整文档的内核。</translation>
    </message>
    <message>
        <source>The window is licensed under the GPL, version 3 or later; the engine and the command line under the Apache License 2.0.</source>
        <translation>图形界面以 GPL 第 3 版或更高版本授权；引擎和命令行以 Apache License 2.0 授权。</translation>
    </message>
    <message>
        <source>Built with Qt %1, QCustomPlot (GPL-3.0) and KSyntaxHighlighting (MIT).</source>
        <translation>使用 Qt %1、QCustomPlot（GPL-3.0）和 KSyntaxHighlighting（MIT）构建。</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::AmaxView</name>
    <message>
        <source>amax and delayed scales</source>
        <translation>amax 与延迟缩放</translation>
    </message>
    <message>
        <source>All steps are zeros</source>
        <translation>所有步均为零</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>amax</source>
        <translation>amax</translation>
    </message>
    <message>
        <source>largest number that fits</source>
        <translation>可容纳的最大数</translation>
    </message>
    <message>
        <source>Step %1: amax %2, covered up to %3</source>
        <translation>第 %1 步：amax %2，可容纳 %3</translation>
    </message>
    <message>
        <source>clipped</source>
        <translation>裁剪</translation>
    </message>
    <message>
        <source>anomaly</source>
        <translation>异常</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::AnalysisView</name>
    <message>
        <source>Case that is analysed</source>
        <translation>所分析的测例</translation>
    </message>
    <message>
        <source>The case that is analysed</source>
        <translation>所分析的测例</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOPs</translation>
    </message>
    <message>
        <source>Operations of the body; transcendental functions count one each</source>
        <translation>计算公式的运算次数；每个超越函数计一次</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>访存字节数</translation>
    </message>
    <message>
        <source>Each input once and each output once</source>
        <translation>每个输入和每个输出各计一次</translation>
    </message>
    <message>
        <source>Intensity</source>
        <translation>计算密度</translation>
    </message>
    <message>
        <source>FLOPs for each byte</source>
        <translation>每字节访存对应的 FLOP 数</translation>
    </message>
    <message>
        <source>Bound</source>
        <translation>受限类型</translation>
    </message>
    <message>
        <source>What limits the operator on this device</source>
        <translation>该设备上限制算子性能的因素</translation>
    </message>
    <message>
        <source>Attainable</source>
        <translation>可达上限</translation>
    </message>
    <message>
        <source>The measured ceiling for this mix of reads, writes and operations</source>
        <translation>在此读、写和运算比例下的实测上限</translation>
    </message>
    <message>
        <source>Shortest time</source>
        <translation>最短耗时</translation>
    </message>
    <message>
        <source>Bytes over the attainable bandwidth</source>
        <translation>访存字节数除以可达带宽</translation>
    </message>
    <message>
        <source>Measure ceilings</source>
        <translation>测量设备上限</translation>
    </message>
    <message>
        <source>Not before the definition&apos;s errors are put right</source>
        <translation>请先修正算子定义中的错误</translation>
    </message>
    <message>
        <source>A custom operator has no body to analyse</source>
        <translation>自定义算子没有可分析的计算公式</translation>
    </message>
    <message>
        <source>Open a project to see what its cases need</source>
        <translation>打开项目以查看其测例的计算量和访存量</translation>
    </message>
    <message>
        <source>Add a case to see what it needs</source>
        <translation>添加一个测例以查看其计算量和访存量</translation>
    </message>
    <message>
        <source>, %1 transcendental</source>
        <translation>，其中超越函数 %1 次</translation>
    </message>
    <message>
        <source>%1 read, %2 written</source>
        <translation>读取 %1，写入 %2</translation>
    </message>
    <message>
        <source>%1 FLOP/B</source>
        <translation>%1 FLOP/B</translation>
    </message>
    <message>
        <source>The ceilings of %1 have not been measured.</source>
        <translation>设备 %1 的上限尚未测量。</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存带宽受限</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算受限</translation>
    </message>
    <message>
        <source>%1, %2 on %3</source>
        <translation>%1，%2，设备 %3</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ApplyDialog</name>
    <message>
        <source>Apply to round %1: %2</source>
        <translation>应用于第 %1 轮：%2</translation>
    </message>
    <message>
        <source>The next round is made with this change of %1. The file itself stays as it is: Restore (Ctrl+R) takes the round&apos;s text over when you want it. %2.</source>
        <translation>下一轮将使用对 %1 的此项修改。文件本身保持不变：需要时用“恢复”（Ctrl+R）采用该轮的源代码。%2。</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::AssemblyPanel</name>
    <message>
        <source>Assembly</source>
        <translation>汇编</translation>
    </message>
    <message>
        <source>Previous match (Shift+Return)</source>
        <translation>上一个匹配（Shift+回车）</translation>
    </message>
    <message>
        <source>Next match (Return)</source>
        <translation>下一个匹配（回车）</translation>
    </message>
    <message>
        <source>Kind of code</source>
        <translation>代码种类</translation>
    </message>
    <message>
        <source>SASS is what a GPU runs, PTX what comes before it, TTGIR and TTIR what Triton makes first</source>
        <translation>SASS 是 GPU 运行的代码，PTX 在其之前，TTGIR 和 TTIR 是 Triton 最先生成的</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>函数名</translation>
    </message>
    <message>
        <source>Go to a function</source>
        <translation>跳转到函数</translation>
    </message>
    <message>
        <source>Find in the code</source>
        <translation>在代码中查找</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Code of the variant as it stands</source>
        <translation>当前实现的代码</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>No variant is chosen</source>
        <translation>未选择实现</translation>
    </message>
    <message>
        <source>The variant %1 has no code that can be shown: its language is %2</source>
        <translation>实现 %1 没有可显示的代码：其语言为 %2</translation>
    </message>
    <message>
        <source>Not built yet. Ctrl+B builds it, which executes its file</source>
        <translation>尚未构建。按 Ctrl+B 构建，这会执行其文件</translation>
    </message>
    <message>
        <source>Not built yet. Ctrl+B builds it</source>
        <translation>尚未构建。按 Ctrl+B 构建</translation>
    </message>
    <message>
        <source>Not built: %1</source>
        <translation>未编译：%1</translation>
    </message>
    <message>
        <source>All: %1</source>
        <translation>全部：%1</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>所选：%1</translation>
    </message>
    <message>
        <source>; the rest of the code is left out</source>
        <translation>；其余代码未显示</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s)</source>
        <translation>
            <numerusform>%Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation>对比对象</translation>
    </message>
    <message>
        <source>Show what differs from the code as it is now, while you go on, or from the selected round&apos;s, which is built for it: its Python file is executed</source>
        <translation>显示与现在的代码（在您继续工作时）或与所选轮次的代码有何不同；后者为此而构建：会执行其 Python 文件</translation>
    </message>
    <message>
        <source>Not compared</source>
        <translation>不对比</translation>
    </message>
    <message>
        <source>Against now</source>
        <translation>与现在对比</translation>
    </message>
    <message>
        <source>Against round %1</source>
        <translation>与第 %1 轮对比</translation>
    </message>
    <message>
        <source>Against the selected round</source>
        <translation>与所选轮次对比</translation>
    </message>
    <message>
        <source>the code before</source>
        <translation>之前的代码</translation>
    </message>
    <message>
        <source>round %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>it has no code of this kind</source>
        <translation>它没有这种代码</translation>
    </message>
    <message>
        <source>Against %1: %2 lines removed, %3 added; %4 instructions before</source>
        <translation>与%1对比：去掉 %2 行，增加 %3 行；之前有 %4 条指令</translation>
    </message>
    <message>
        <source>Nothing to compare with in %1: %2</source>
        <translation>%1中没有可对比的：%2</translation>
    </message>
    <message>
        <source>Building round %1</source>
        <translation>正在构建第 %1 轮</translation>
    </message>
    <message numerus="yes">
        <source>%Ln difference(s)</source>
        <translation>
            <numerusform>%Ln 处差异</numerusform>
        </translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>Unfold</source>
        <translation>展开</translation>
    </message>
    <message>
        <source>Fold all functions</source>
        <translation>折叠所有函数</translation>
    </message>
    <message>
        <source>Fold all loops</source>
        <translation>折叠所有循环</translation>
    </message>
    <message>
        <source>Fold all blocks</source>
        <translation>折叠所有基本块</translation>
    </message>
    <message>
        <source>Unfold all</source>
        <translation>全部展开</translation>
    </message>
    <message>
        <source>Fold functions, loops and blocks to a line each (Left, Right, or a click on an arrow)</source>
        <translation>将函数、循环和基本块各折叠为一行（左、右方向键，或点击箭头）</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::BackgroundBuild</name>
    <message>
        <source>%1 (case %2)</source>
        <translation>%1（测例 %2）</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::BestComparison</name>
    <message>
        <source>Tunables now and in the best round</source>
        <translation>当前与最佳轮次的可调参数</translation>
    </message>
    <message>
        <source>No round of this variant is ok on %1 with the project&apos;s cases and baseline yet: F5 runs one</source>
        <translation>该实现在 %1 上尚无使用项目的测例和基准且通过的轮次：按 F5 运行一轮</translation>
    </message>
    <message>
        <source>Best is %1, with a speedup of %2 [%3, %4] in its slowest case, %5</source>
        <translation>最佳为%1，加速比 %2 [%3, %4]（最慢测例 %5）</translation>
    </message>
    <message>
        <source>&lt;a href=&quot;%1&quot;&gt;round %1&lt;/a&gt;</source>
        <translation>&lt;a href=&quot;%1&quot;&gt;第 %1 轮&lt;/a&gt;</translation>
    </message>
    <message>
        <source>Tunable</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Round %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>不存在</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::BestView</name>
    <message>
        <source>Best so far</source>
        <translation>目前最优</translation>
    </message>
    <message>
        <source>Time of the tuning</source>
        <translation>调优时间</translation>
    </message>
    <message>
        <source>best so far</source>
        <translation>目前最优</translation>
    </message>
    <message>
        <source>the configuration before</source>
        <translation>原有配置</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::BuildCard</name>
    <message>
        <source>, 1 warning</source>
        <translation>，1 条警告</translation>
    </message>
    <message>
        <source>, %1 warnings</source>
        <translation>，%1 条警告</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>State of the build</source>
        <translation>编译状态</translation>
    </message>
    <message>
        <source>Nothing to build</source>
        <translation>没有可编译的内容</translation>
    </message>
    <message>
        <source>Not built: the project has errors, which Problems lists</source>
        <translation>未编译：项目有错误，见“问题”面板</translation>
    </message>
    <message>
        <source>Restricted, so not built</source>
        <translation>违反限制条件，未编译</translation>
    </message>
    <message>
        <source>Not built yet</source>
        <translation>尚未编译</translation>
    </message>
    <message>
        <source>%1, %2 s</source>
        <translation>%1，%2 s</translation>
    </message>
    <message>
        <source>Built, from the cache</source>
        <translation>编译完成（来自缓存）</translation>
    </message>
    <message>
        <source>Built in %1 s</source>
        <translation>编译完成，用时 %1 s</translation>
    </message>
    <message>
        <source>Restricted: %1</source>
        <translation>违反限制条件：%1</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Not built: %1</source>
        <translation>未编译：%1</translation>
    </message>
    <message>
        <source>Shown %1 ms after it was asked for</source>
        <translation>从请求到显示用时 %1 ms</translation>
    </message>
    <message>
        <source>Failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>%1 blocks of %2 threads share a multiprocessor: %3 warps</source>
        <translation>每个多处理器上有 %1 个 %2 线程的线程块：%3 个线程束</translation>
    </message>
    <message>
        <source>PyTorch compiles it, if at all, when it runs.</source>
        <translation>PyTorch 仅在运行时编译（如果编译的话）。</translation>
    </message>
    <message>
        <source>Read, not compiled: the interpreter runs it here. Registers, spills and shared memory are known on a CUDA device only.</source>
        <translation>已读取，未编译：此处由解释器运行。寄存器、溢出和共享内存仅在 CUDA 设备上可知。</translation>
    </message>
    <message>
        <source>Read, not compiled: registers, spills and shared memory are known once it has been built or run on %1 (Ctrl+B, F5).</source>
        <translation>已读取，未编译：在 %1 上编译或运行后（Ctrl+B、F5）才能得知寄存器、溢出和共享内存。</translation>
    </message>
    <message>
        <source>Checked in %1 s</source>
        <translation>检查通过，用时 %1 秒</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::CasePage</name>
    <message>
        <source>Case</source>
        <translation>测例</translation>
    </message>
    <message>
        <source>The case that the chart shows</source>
        <translation>图表所显示的测例</translation>
    </message>
    <message>
        <source>&amp;Case</source>
        <translation>测例(&amp;C)</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::CausesView</name>
    <message>
        <source>Likely causes</source>
        <translation>可能的原因</translation>
    </message>
    <message>
        <source>What to do: %1</source>
        <translation>处理：%1</translation>
    </message>
    <message>
        <source>Smallest failing: %1</source>
        <translation>最小的失败尺寸：%1</translation>
    </message>
    <message>
        <source>%1 of %2 other sizes fail</source>
        <translation>另外 %2 组尺寸中有 %1 组失败</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::CellDelegate</name>
    <message>
        <source>the case&apos;s</source>
        <translation>同测例</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ChartArea</name>
    <message>
        <source>Speedup</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Reading the rounds</source>
        <translation>正在读取各轮记录</translation>
    </message>
    <message>
        <source>No rounds yet: press F5 to verify and bench</source>
        <translation>尚无轮次：按 F5 验证并计时</translation>
    </message>
    <message>
        <source>Reading round %1</source>
        <translation>正在读取第 %1 轮</translation>
    </message>
    <message>
        <source>Round %1 was not timed: %2. Choose another in the rounds or in a chart</source>
        <translation>第 %1 轮未计时：%2。请在轮次表或图表中另选一轮</translation>
    </message>
    <message>
        <source>Round %1 was not verified: %2. Choose another in the rounds or in a chart</source>
        <translation>第 %1 轮未验证：%2。请在轮次表或图表中另选一轮</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>并列对比</translation>
    </message>
    <message>
        <source>No comparison on %1 yet: press F6 to verify and time all variants side by side</source>
        <translation>%1 上尚无并列对比：按 F6 验证所有实现并在同一次运行中计时</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>规模与效率</translation>
    </message>
    <message>
        <source>Error map</source>
        <translation>误差分布图</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ChartView</name>
    <message>
        <source>%1: a chart is written as .png, .svg or .pdf</source>
        <translation>%1：图表只能保存为 .png、.svg 或 .pdf</translation>
    </message>
    <message>
        <source>PNG image (*.png)</source>
        <translation>PNG 图像 (*.png)</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG 矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>PDF 文档 (*.pdf)</translation>
    </message>
    <message>
        <source>Save chart</source>
        <translation>保存图表</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适应窗口</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::CommandPalette</name>
    <message>
        <source>Find an action</source>
        <translation>查找操作</translation>
    </message>
    <message>
        <source>Some letters of an action, or its key</source>
        <translation>操作名称中的几个字，或其快捷键</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>No action has these letters</source>
        <translation>没有含这些字的操作</translation>
    </message>
    <message>
        <source>Not now: %1</source>
        <translation>现在不可用：%1</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ComparisonModel</name>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1（基准）</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>测例</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>实现</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 置信区间</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Tunables</source>
        <translation>可调参数</translation>
    </message>
    <message>
        <source>noisy</source>
        <translation>噪声大</translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n 条警告</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ComparisonPanel</name>
    <message>
        <source>Comparison of all variants</source>
        <translation>所有实现的并列对比</translation>
    </message>
    <message>
        <source>Enter or a double click brings a variant under work</source>
        <translation>按回车键或双击以选用该实现</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>全部复制</translation>
    </message>
    <message>
        <source>No comparison on %1 yet: F6 verifies and times all of its variants side by side.</source>
        <translation>%1 上尚无并列对比：按 F6 验证所有实现并在同一次运行中计时。</translation>
    </message>
    <message>
        <source>All variants are being verified and timed on %1; each appears here when it is done.</source>
        <translation>正在 %1 上验证所有实现并计时；每个完成后就显示在这里。</translation>
    </message>
    <message>
        <source>Open a project to compare its variants.</source>
        <translation>打开项目以对比其各个实现。</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ComparisonView</name>
    <message>
        <source>%1: speedup %2, 95 % interval %3 to %4</source>
        <translation>%1：加速比 %2，95 % 置信区间 %3 至 %4</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>中位数 %1</translation>
    </message>
    <message>
        <source>Variants side by side</source>
        <translation>各实现并列对比</translation>
    </message>
    <message>
        <source>No variant was compared</source>
        <translation>没有对比任何实现</translation>
    </message>
    <message>
        <source>Speedup over %1</source>
        <translation>相对于 %1 的加速比</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ConsistencyCheck</name>
    <message>
        <source>%1 written again</source>
        <translation>%1 已重新生成</translation>
    </message>
    <message>
        <source>%1: tunables set</source>
        <translation>%1：可调参数已更新</translation>
    </message>
    <message>
        <source>%1 left alone: it was edited</source>
        <translation>%1 保持不变：已经人工编辑</translation>
    </message>
    <message>
        <source>The project was edited meanwhile, so nothing was written</source>
        <translation>项目在此期间被修改，因此未写入任何内容</translation>
    </message>
    <message>
        <source>bring in step</source>
        <translation>使文件同步</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ConsistencyModel</name>
    <message>
        <source>Function</source>
        <translation>函数名</translation>
    </message>
    <message>
        <source>Parameter names</source>
        <translation>参数名称</translation>
    </message>
    <message>
        <source>Parameter order</source>
        <translation>参数顺序</translation>
    </message>
    <message>
        <source>Parameter types</source>
        <translation>参数类型</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>返回值</translation>
    </message>
    <message>
        <source>Input checks</source>
        <translation>输入检查</translation>
    </message>
    <message>
        <source>Kernel arguments</source>
        <translation>核函数实参</translation>
    </message>
    <message>
        <source>Tunables</source>
        <translation>可调参数</translation>
    </message>
    <message>
        <source>Tolerances</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>Cases</source>
        <translation>测例</translation>
    </message>
    <message>
        <source>Definition</source>
        <translation>算子定义</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>核函数</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Parameter count</source>
        <translation>参数个数</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>精度测试</translation>
    </message>
    <message>
        <source>Performance</source>
        <translation>性能测试</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ConsistencyPanel</name>
    <message>
        <source>Bring in step</source>
        <translation>使文件同步</translation>
    </message>
    <message>
        <source>Whether the files agree</source>
        <translation>文件是否一致</translation>
    </message>
    <message>
        <source>Write stale files again and set tunables in place; what a person edited is left alone</source>
        <translation>重新生成过期文件并就地更新可调参数；人工编辑过的文件保持不变</translation>
    </message>
    <message>
        <source>Checklist of the files</source>
        <translation>文件一致性检查表</translation>
    </message>
    <message>
        <source>Enter or a double click goes to the place</source>
        <translation>按回车键或双击跳转到相应位置</translation>
    </message>
    <message>
        <source>What does not agree</source>
        <translation>不一致之处</translation>
    </message>
    <message>
        <source>Open a project to compare its files.</source>
        <translation>打开项目以检查其文件是否一致。</translation>
    </message>
    <message>
        <source>Comparing the files</source>
        <translation>正在比较文件</translation>
    </message>
    <message>
        <source>No variant in Triton: there are no files of Python to compare.</source>
        <translation>没有 Triton 实现：无 Python 文件可比较。</translation>
    </message>
    <message>
        <source>Everything is in step already</source>
        <translation>所有文件均已同步</translation>
    </message>
    <message>
        <source>Why nothing is compared</source>
        <translation>未作比较的原因</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::CounterTable</name>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Round %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>Best: round %1</source>
        <translation>最佳：第 %1 轮</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Energy: this device does not tell it. A GPU whose driver has an energy counter tells it, such as NVIDIA&apos;s since Volta; a tuning for energy measures that of one call.</source>
        <translation>能耗：该设备不提供。驱动带能耗计数器的 GPU（如 Volta 及以后的 NVIDIA GPU）会提供；以能耗为目标的调优会测量单次调用的能耗。</translation>
    </message>
    <message>
        <source>This round is the best one of its kind.</source>
        <translation>本轮就是同类中最佳的一轮。</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::DefinitionForm</name>
    <message>
        <source>Family</source>
        <translation>算子类型</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Body</source>
        <translation>计算公式</translation>
    </message>
    <message>
        <source>Performance</source>
        <translation>性能</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::DiagnosisPanel</name>
    <message>
        <source>Optimise…</source>
        <translation>自动优化…</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>测例</translation>
    </message>
    <message>
        <source>The timed case whose diagnosis is shown; strategies are for all of them</source>
        <translation>显示其诊断的已计时测例；策略面向所有测例</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>诊断结论</translation>
    </message>
    <message>
        <source>Open a project: this shows why its kernel is slow.</source>
        <translation>打开一个项目：此处显示其内核为何慢。</translation>
    </message>
    <message>
        <source>Reading the rounds</source>
        <translation>正在读取轮次</translation>
    </message>
    <message>
        <source>No round yet. Press F5: it verifies and times the kernel, and this shows why it is slow and what can be done about it. Optimise… (F8) makes rounds by itself.</source>
        <translation>尚无轮次。按 F5 验证内核并计时，此处将显示它为何慢、可以怎样改进。“自动优化…”（F8）会自行完成各轮。</translation>
    </message>
    <message>
        <source>Diagnosing round %1</source>
        <translation>正在诊断第 %1 轮</translation>
    </message>
    <message>
        <source>No diagnosis of round %1: %2</source>
        <translation>第 %1 轮无法诊断：%2</translation>
    </message>
    <message>
        <source>Round %1 was not timed (%2), so there is nothing to diagnose. %3</source>
        <translation>第 %1 轮未计时（%2），因此没有可诊断的内容。%3</translation>
    </message>
    <message>
        <source>Round %1: %2 on %3, %4</source>
        <translation>第 %1 轮：%3 上的 %2，%4</translation>
    </message>
    <message>
        <source>Round %1 was made with %2. Expected %3; measured %4.</source>
        <translation>第 %1 轮的策略：%2。预期：%3；实测：%4。</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Its tunables and sources become the project&apos;s; can be undone (Ctrl+R)</source>
        <translation>用其参数和源代码替换项目中的内容；可撤销（Ctrl+R）</translation>
    </message>
    <message>
        <source>Makes rounds by itself until the target is reached (F8)</source>
        <translation>自行完成各轮，直至达到目标（F8）</translation>
    </message>
    <message>
        <source>No strategy can be applied to the selected round</source>
        <translation>没有策略可应用于所选轮次</translation>
    </message>
    <message>
        <source>Nothing can be applied: %1</source>
        <translation>没有可应用的策略：%1</translation>
    </message>
    <message>
        <source>What was not measured, and what would measure it</source>
        <translation>未测量的数值及测量方法</translation>
    </message>
    <message>
        <source>Another round is being diagnosed</source>
        <translation>正在诊断另一轮</translation>
    </message>
    <message>
        <source>Counters beside those of the best, round %1</source>
        <translation>与最佳轮次（第 %1 轮）的计数器对照</translation>
    </message>
    <message>
        <source>Counters</source>
        <translation>计数器</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::DifferenceView</name>
    <message>
        <source>Round to compare with</source>
        <translation>对比轮次</translation>
    </message>
    <message>
        <source>The selected round is compared with this one</source>
        <translation>所选轮次与此轮对比</translation>
    </message>
    <message>
        <source>Difference of two rounds</source>
        <translation>两轮的差异</translation>
    </message>
    <message>
        <source>&amp;Since round</source>
        <translation>相对轮次(&amp;S)</translation>
    </message>
    <message>
        <source>Select a round to see what it changed</source>
        <translation>选择一轮以查看其修改内容</translation>
    </message>
    <message>
        <source>No round came before; choose one to compare with</source>
        <translation>之前没有轮次；请选择要对比的一轮</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::EfficiencyView</name>
    <message>
        <source>Size against efficiency</source>
        <translation>规模与效率</translation>
    </message>
    <message>
        <source>Round %1 has no timed case</source>
        <translation>第 %1 轮没有完成计时的测例</translation>
    </message>
    <message>
        <source>Line: round %1</source>
        <translation>连线：第 %1 轮</translation>
    </message>
    <message>
        <source>Bytes of the case</source>
        <translation>测例的访存字节数</translation>
    </message>
    <message>
        <source>best: round %1, %2</source>
        <translation>最佳：第 %1 轮，%2</translation>
    </message>
    <message>
        <source>Faint: other configurations, %1, each by its newest round</source>
        <translation>浅色：其他 %1 组参数配置，各取最新一轮</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节数</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>noisy</source>
        <translation>有噪声</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::Engine</name>
    <message>
        <source>No round was recorded: %1</source>
        <translation>没有记录轮次：%1</translation>
    </message>
    <message>
        <source>The round was not recorded: %1</source>
        <translation>该轮未能记录：%1</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>The comparison was not kept: %1</source>
        <translation>并列对比结果未保存：%1</translation>
    </message>
    <message>
        <source>Nothing was stored: %1</source>
        <translation>未保存任何内容：%1</translation>
    </message>
    <message>
        <source>the check was stopped</source>
        <translation>检查已停止</translation>
    </message>
    <message>
        <source>The check was not kept: %1</source>
        <translation>检查结果未能保存：%1</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ErrorMapPage</name>
    <message>
        <source>Out&amp;put</source>
        <translation>输出(&amp;P)</translation>
    </message>
    <message>
        <source>The output that the map shows</source>
        <translation>图中显示的输出</translation>
    </message>
    <message>
        <source>When a kernel&apos;s results are wrong, this shows where in the output, with the tiles over it, and what the likely causes are. This round&apos;s results were right, or its kernel did not run</source>
        <translation>内核结果出错时，此处显示错误位于输出的何处（叠加 tile 网格）以及可能的原因。本轮结果正确，或其内核未能运行</translation>
    </message>
    <message>
        <source>The kernel ended before it left an output: there is nothing to map</source>
        <translation>内核在留下输出之前已终止：没有可显示的内容</translation>
    </message>
    <message>
        <source>%1, inputs %2</source>
        <translation>%1，输入 %2</translation>
    </message>
    <message>
        <source>The results differ from run to run: when they were looked at, all were right</source>
        <translation>每次运行结果不同：查看时全部正确</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ErrorMapView</name>
    <message>
        <source>Error map</source>
        <translation>误差分布图</translation>
    </message>
    <message>
        <source>Column of %1</source>
        <translation>%1 的列</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>%L1 of %L2 elements wrong</source>
        <translation>%L2 个元素中有 %L1 个出错</translation>
    </message>
    <message>
        <source>%L1 not written</source>
        <translation>%L1 个未写入</translation>
    </message>
    <message>
        <source>Lines: tiles of %1 × %2</source>
        <translation>网格线：%1 × %2 的 tile</translation>
    </message>
    <message>
        <source>row %1, column %2</source>
        <translation>第 %1 行，第 %2 列</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>expected %1, not written</source>
        <translation>预期 %1，未写入</translation>
    </message>
    <message>
        <source>expected %1, actual %2</source>
        <translation>预期 %1，实际 %2</translation>
    </message>
    <message>
        <source>%L1 of %L2 elements not written</source>
        <translation>%L2 个元素中有 %L1 个未写入</translation>
    </message>
    <message>
        <source>; largest error %1</source>
        <translation>；最大误差 %1</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ErrorView</name>
    <message>
        <source>Error histogram</source>
        <translation>误差直方图</translation>
    </message>
    <message>
        <source>All %L1 elements are exact: there is no error to show</source>
        <translation>全部 %L1 个元素完全一致，没有误差可显示</translation>
    </message>
    <message>
        <source>This check judged no element</source>
        <translation>该检查未判定任何元素</translation>
    </message>
    <message>
        <source>Absolute error</source>
        <translation>绝对误差</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>Elements with less</source>
        <translation>误差更小的元素占比</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>%L1 elements with an error from %2 to %3; %4 have less than that</source>
        <translation>%L1 个元素的误差在 %2 至 %3 之间；%4 的元素小于此误差</translation>
    </message>
    <message>
        <source>share of elements with less (right axis)</source>
        <translation>误差更小的元素占比（右轴）</translation>
    </message>
    <message>
        <source>%1 of %L2 elements exact</source>
        <translation>%L2 个元素中 %1 完全一致</translation>
    </message>
    <message>
        <source>Largest error %1</source>
        <translation>最大误差 %1</translation>
    </message>
    <message>
        <source>%L1 mismatches</source>
        <translation>%L1 个不符元素</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::FindBar</name>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Whole word</source>
        <translation>全字匹配</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation>上一处匹配（Shift+F3）</translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation>下一处匹配（F3）</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
    <message>
        <source>Replace with</source>
        <translation>替换为</translation>
    </message>
    <message>
        <source>With regular expressions \1 … \9 stand for what groups matched</source>
        <translation>使用正则表达式时，\1 … \9 表示各分组匹配的内容</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Replace this match and go to the next (Return)</source>
        <translation>替换当前匹配并转到下一处（Return）</translation>
    </message>
    <message>
        <source>Replace all</source>
        <translation>全部替换</translation>
    </message>
    <message>
        <source>Replace every match of this source; one undo takes it back</source>
        <translation>替换此源代码中的全部匹配；撤销一次即可恢复</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation>至少 %1 处</translation>
    </message>
    <message>
        <source>Not an expression</source>
        <translation>正则表达式无效</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>无匹配</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>1 match</source>
        <translation>1 处匹配</translation>
    </message>
    <message>
        <source>%1 matches</source>
        <translation>%1 处匹配</translation>
    </message>
    <message>
        <source>Replaced 1</source>
        <translation>已替换 1 处</translation>
    </message>
    <message>
        <source>Replaced %1</source>
        <translation>已替换 %1 处</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::FindingCard</name>
    <message>
        <source>Lines of the source</source>
        <translation>源代码行</translation>
    </message>
    <message>
        <source>Apply as next round</source>
        <translation>应用为下一轮</translation>
    </message>
    <message>
        <source>By hand</source>
        <translation>需手工修改</translation>
    </message>
    <message>
        <source>No safe change of this source is known for it: a person must make it</source>
        <translation>没有已知的安全修改可自动应用于此源代码：需由人来完成</translation>
    </message>
    <message>
        <source>How sure: %1</source>
        <translation>可信度：%1</translation>
    </message>
    <message>
        <source>To confirm: %1</source>
        <translation>如何确认：%1</translation>
    </message>
    <message>
        <source>Where the limits come from: %1</source>
        <translation>限值来源：%1</translation>
    </message>
    <message>
        <source>Why, and how sure (%1)</source>
        <translation>原因与可信度（%1）</translation>
    </message>
    <message>
        <source>Change it so, verify, time it, and record a round</source>
        <translation>按此修改，验证并计时，然后记录一轮</translation>
    </message>
    <message>
        <source>%1: %2; %3</source>
        <translation>%1：%2；%3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::GateActions</name>
    <message>
        <source>Something runs: wait for its end, or stop it (Ctrl+.)</source>
        <translation>正在运行：请等待结束，或将其停止（Ctrl+.）</translation>
    </message>
    <message>
        <source>No variant runs on %1</source>
        <translation>没有可在 %1 上运行的实现</translation>
    </message>
    <message>
        <source>Nothing is stored to compare with: record a round first</source>
        <translation>没有可对比的已存基准：请先记录一轮</translation>
    </message>
    <message>
        <source>Gate: record %1 on %2</source>
        <translation>性能门：记录 %2 上的 %1</translation>
    </message>
    <message>
        <source>Gate: check %1 on %2</source>
        <translation>性能门：检查 %2 上的 %1</translation>
    </message>
    <message>
        <source>Gate: %1</source>
        <translation>性能门：%1</translation>
    </message>
    <message>
        <source>Gate: round %1 is the stored baseline of %2 on %3</source>
        <translation>性能门：第 %1 轮是 %3 上 %2 的已存基准</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::GateWindow</name>
    <message>
        <source>Gate</source>
        <translation>性能门</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Record a round</source>
        <translation>记录一轮</translation>
    </message>
    <message>
        <source>Keep its thresholds</source>
        <translation>保留其阈值</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>The last check&apos;s thresholds, and 1.1 times its errors as limits, count from now on</source>
        <translation>今后以最近一次检查的阈值，以及其误差的 1.1 倍作为上限</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>The smallest change that counts. By itself it is what is stored, or learned from earlier checks, or 1.5 %</source>
        <translation>算作变化的最小幅度。“自动”时取已保存的值，或从以往检查学到的值，否则为 1.5 %</translation>
    </message>
    <message>
        <source>by itself</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Cases of the check</source>
        <translation>检查的测例</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>测例</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Stored time / time now, 95 %</source>
        <translation>保存的耗时 / 当前耗时，95 %</translation>
    </message>
    <message>
        <source>Timings</source>
        <translation>计时次数</translation>
    </message>
    <message>
        <source>p99 abs. error then</source>
        <translation>当时 p99 绝对误差</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Open a project: the gate says whether its kernel became slower.</source>
        <translation>打开一个项目：性能门会指出其内核是否变慢。</translation>
    </message>
    <message>
        <source>No variant runs on %1</source>
        <translation>没有可在 %1 上运行的实现</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2 上的 %1</translation>
    </message>
    <message>
        <source>%1: reading</source>
        <translation>%1：正在读取</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: nothing is stored yet. Press “Record a round”: it runs as F5 does, and what it measured becomes what later checks are compared with.</source>
        <translation>%1：尚未保存基准。请按“记录一轮”：它与 F5 一样运行，测得的结果将作为以后检查的对比基准。</translation>
    </message>
    <message numerus="yes">
        <source>%1: stored is round %2 of %3, with %n case(s). Check builds its sources again and times them in pairs with the present ones.</source>
        <translation>
            <numerusform>%1：已保存 %3 的第 %2 轮，共 %n 个测例。“检查”会重新构建其源码，并与当前源码成对计时。</numerusform>
        </translation>
    </message>
    <message>
        <source>slower or less accurate</source>
        <translation>变慢或精度下降</translation>
    </message>
    <message>
        <source>ambiguous: a longer time budget helps</source>
        <translation>无法判定：延长计时预算会有帮助</translation>
    </message>
    <message>
        <source>as before, or faster</source>
        <translation>与之前相同或更快</translation>
    </message>
    <message>
        <source>Check of %1, against round %2%3: %4</source>
        <translation>%1 的检查，对比第 %2 轮%3：%4</translation>
    </message>
    <message>
        <source> by stored numbers</source>
        <translation>（按保存的数值）</translation>
    </message>
    <message>
        <source>Is the kernel as it is now slower or less accurate than what is stored? Records no round</source>
        <translation>当前内核是否比保存的更慢或精度更低？不记录轮次</translation>
    </message>
    <message>
        <source>Runs a round as F5 does, and stores it to compare with later</source>
        <translation>与 F5 一样运行一轮，并保存供以后对比</translation>
    </message>
    <message>
        <source>Store round %1</source>
        <translation>保存第 %1 轮</translation>
    </message>
    <message>
        <source>What the selected round measured is stored for its variant and device; nothing runs</source>
        <translation>将所选轮次的测量结果保存为其实现与设备的基准；不运行任何内容</translation>
    </message>
    <message>
        <source>ambiguous: a case could not be compared</source>
        <translation>无法判定：有测例无法比较</translation>
    </message>
    <message>
        <source>Store round %1 of %2</source>
        <translation>保存 %2 的第 %1 轮</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::Gates</name>
    <message>
        <source>Round %1 is the stored baseline of %2 on %3 now</source>
        <translation>第 %1 轮现为 %2 在 %3 上保存的基准</translation>
    </message>
    <message>
        <source>The thresholds and limits of the last check count from now on</source>
        <translation>从现在起采用最近一次检查的阈值和误差上限</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::HeatMapView</name>
    <message>
        <source>Best by two tunables</source>
        <translation>两个参数下的最优</translation>
    </message>
    <message>
        <source>The variant has one tunable only: All configurations shows it</source>
        <translation>该实现只有一个可调参数：见“全部配置”</translation>
    </message>
    <message>
        <source>Choose two tunables above</source>
        <translation>请在上方选择两个参数</translation>
    </message>
    <message>
        <source>✗: all that was tried failed</source>
        <translation>✗：试过的全部失败</translation>
    </message>
    <message>
        <source>%1: not tried</source>
        <translation>%1：未尝试</translation>
    </message>
    <message>
        <source>%1: %2 tried, %3 failed</source>
        <translation>%1：试过 %2 个，失败 %3 个</translation>
    </message>
    <message>
        <source>the best:</source>
        <translation>最优：</translation>
    </message>
    <message>
        <source>Best result of each pair of values</source>
        <translation>每对取值的最优结果</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::HelpWindow</name>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Search the help</source>
        <translation>搜索帮助</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页</translation>
    </message>
    <message>
        <source>Nothing has all these words</source>
        <translation>没有同时含这些词的内容</translation>
    </message>
    <message>
        <source>%1 is not part of the help</source>
        <translation>%1 不在帮助中</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ImportDialog</name>
    <message>
        <source>Import files of my own</source>
        <translation>导入自己的文件</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>识别结果</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>a folder, or a .py or T1 .json file</source>
        <translation>文件夹，或 .py、T1 .json 文件</translation>
    </message>
    <message>
        <source>Choose the folder of the project</source>
        <translation>选择项目文件夹</translation>
    </message>
    <message>
        <source>Folder or file</source>
        <translation>文件夹或文件</translation>
    </message>
    <message>
        <source>Choose the solution</source>
        <translation>选择待判定文件</translation>
    </message>
    <message>
        <source>Run its tests</source>
        <translation>运行其测试</translation>
    </message>
    <message>
        <source>Executes the file&apos;s test calls, in a process with limits: what its function is called with becomes the cases</source>
        <translation>在受限进程中执行文件里的测试调用：函数被调用时的参数即成为测例</translation>
    </message>
    <message>
        <source>Solution</source>
        <translation>待判定文件</translation>
    </message>
    <message>
        <source>for a file with a reference: the file that is judged</source>
        <translation>适用于带参考实现的文件：要判定的文件</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参考实现</translation>
    </message>
    <message>
        <source>for a file with tests: lambda x, w: torch.relu(x @ w)</source>
        <translation>适用于带测试的文件：lambda x, w: torch.relu(x @ w)</translation>
    </message>
    <message>
        <source>Function to judge</source>
        <translation>待判定函数</translation>
    </message>
    <message>
        <source>the last one called that launches a kernel</source>
        <translation>最后一个被调用并启动核函数的函数</translation>
    </message>
    <message>
        <source>File to import</source>
        <translation>要导入的文件</translation>
    </message>
    <message>
        <source>Python and T1 files (*.py *.json)</source>
        <translation>Python 与 T1 文件 (*.py *.json)</translation>
    </message>
    <message>
        <source>Python, C++ and CUDA files (*.py *.cpp *.cc *.cxx *.cu)</source>
        <translation>Python、C++ 与 CUDA 文件 (*.py *.cpp *.cc *.cxx *.cu)</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>新项目</translation>
    </message>
    <message>
        <source>Folder of the Python files</source>
        <translation>Python 文件所在文件夹</translation>
    </message>
    <message>
        <source>New project: a new folder</source>
        <translation>新项目：新文件夹</translation>
    </message>
    <message>
        <source>Choose a folder that holds an operator&apos;s files: its Triton kernel with the wrapper, the PyTorch baseline, and the accuracy and performance tests, as far as there are any.</source>
        <translation>请选择包含一个算子各文件的文件夹：带封装函数的 Triton 核函数、PyTorch 基准，以及精度测试和性能测试（如果有）。</translation>
    </message>
    <message>
        <source>Or one file: a Python file with a reference and its inputs, such as a problem of KernelBench; a Python file with Triton kernels and test calls; a T1 file of a CUDA kernel.</source>
        <translation>或选择单个文件：带参考实现及其输入的 Python 文件（例如 KernelBench 的题目）；带 Triton 核函数和测试调用的 Python 文件；CUDA 核函数的 T1 文件。</translation>
    </message>
    <message>
        <source>The files are read, never executed, until you run a file&apos;s tests. They are left as they are.</source>
        <translation>在运行文件的测试之前，仅读取文件，绝不执行。文件保持不变。</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>If the file has test calls of its own, say what its function computes in one line of PyTorch as the reference, and run its tests.</source>
        <translation>如果文件自带测试调用，请用一行 PyTorch 写出其函数的计算作为参考实现，然后运行其测试。</translation>
    </message>
    <message>
        <source>Running the tests of %1</source>
        <translation>正在运行 %1 的测试</translation>
    </message>
    <message>
        <source>That folder holds a project already: choose another.</source>
        <translation>该文件夹已包含项目：请另选一个。</translation>
    </message>
    <message>
        <source>Its operators…</source>
        <translation>其中的算子…</translation>
    </message>
    <message>
        <source>What each call of an operator takes in this model, and projects of such calls</source>
        <translation>此模型中每次算子调用的耗时，以及由这些调用生成的项目</translation>
    </message>
    <message>
        <source>A run is under way, whose times the tests would disturb: wait for its end</source>
        <translation>正在运行，执行测试会干扰其计时：请等它结束</translation>
    </message>
    <message>
        <source>Or a folder of problems, such as those of KernelBench: each becomes a project in a folder of projects.</source>
        <translation>或一个问题文件夹，例如 KernelBench 的：每个问题成为项目文件夹中的一个项目。</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ImportanceView</name>
    <message>
        <source>Which tunable matters</source>
        <translation>参数重要性</translation>
    </message>
    <message>
        <source>Ten configurations that succeed, with different times, are needed for this</source>
        <translation>需要至少十个成功且时间不同的配置</translation>
    </message>
    <message>
        <source>Share of the variance of log(objective)</source>
        <translation>占 log(目标) 方差的比例</translation>
    </message>
    <message>
        <source>together %1 of %2 results</source>
        <translation>合计 %1（%2 个结果）</translation>
    </message>
    <message>
        <source>few results: unsure</source>
        <translation>结果少，不确定</translation>
    </message>
    <message>
        <source>%1: without it, a sum of effects of the other tunables&apos; values explains %2 less of the variance of the objective&apos;s logarithm. What tunables do only together is not in it.</source>
        <translation>%1：去掉它，其余参数取值的效应之和对目标对数方差的解释减少 %2。参数共同作用才有的影响不计入。</translation>
    </message>
    <message>
        <source>Share of the variance</source>
        <translation>方差占比</translation>
    </message>
    <message>
        <source>Analysis of variance, main effects</source>
        <translation>方差分析，主效应</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::IndicatorStrip</name>
    <message>
        <source>With cold caches a byte that is read once misses: only what is written can hit</source>
        <translation>冷缓存下只读一次的字节必然未命中：只有写入的字节才可能命中</translation>
    </message>
    <message>
        <source>By the roofline: what the kernel must move and compute takes the device so long at its measured ceilings</source>
        <translation>依据Roofline模型：以实测的设备上限，搬运并计算这些数据至少需要这么久</translation>
    </message>
    <message>
        <source>Its interval begins at %1; that decides whether the goal is reached</source>
        <translation>区间下限为 %1；是否达到目标以此为准</translation>
    </message>
    <message>
        <source>goal &gt; %1</source>
        <translation>目标 &gt; %1</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>No round has measured it</source>
        <translation>尚无轮次测得此值</translation>
    </message>
    <message>
        <source>reached</source>
        <translation>已达到</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>未达到</translation>
    </message>
    <message>
        <source>out of reach: at most %1</source>
        <translation>无法达到：最多 %1</translation>
    </message>
    <message>
        <source>Goals…</source>
        <translation>目标…</translation>
    </message>
    <message>
        <source>Goals</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Change the goals of the indicators; that of the speedup is the project&apos;s target</source>
        <translation>修改各项指标的目标；加速比的目标是项目的目标值</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::LatencyView</name>
    <message>
        <source>Latency distribution</source>
        <translation>延迟分布</translation>
    </message>
    <message>
        <source>This case has no samples</source>
        <translation>该测例没有样本</translation>
    </message>
    <message>
        <source>Time of one call</source>
        <translation>单次调用耗时</translation>
    </message>
    <message>
        <source>Share of samples</source>
        <translation>样本占比</translation>
    </message>
    <message>
        <source>baseline %1</source>
        <translation>基准 %1</translation>
    </message>
    <message>
        <source>candidate %1</source>
        <translation>候选 %1</translation>
    </message>
    <message>
        <source>p50 solid, p90 dashed, p99 dotted</source>
        <translation>p50 实线，p90 虚线，p99 点线</translation>
    </message>
    <message>
        <source>%1, %2 samples</source>
        <translation>%1，%2 个样本</translation>
    </message>
    <message>
        <source>%1: %2 of %3 samples from %4 to %5</source>
        <translation>%1：%3 个样本中有 %2 个在 %4 至 %5 之间</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::LessonsForm</name>
    <message>
        <source>Record lessons</source>
        <translation>记录经验</translation>
    </message>
    <message>
        <source>&amp;Worked</source>
        <translation>成功经验(&amp;W)</translation>
    </message>
    <message>
        <source>What made it faster, and why</source>
        <translation>哪些做法提升了性能，原因是什么</translation>
    </message>
    <message>
        <source>F&amp;ailed</source>
        <translation>失败教训(&amp;A)</translation>
    </message>
    <message>
        <source>What did not, and why</source>
        <translation>哪些做法无效，原因是什么</translation>
    </message>
    <message>
        <source>Ne&amp;xt</source>
        <translation>后续优化方向(&amp;X)</translation>
    </message>
    <message>
        <source>What to try in the next round</source>
        <translation>下一轮准备尝试什么</translation>
    </message>
    <message>
        <source>Write them into the history, for the log; together at most some 2,000 characters</source>
        <translation>写入历史记录，供日志使用；合计最多约 2,000 个字符</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::LineBar</name>
    <message>
        <source>Go to line</source>
        <translation>转到行</translation>
    </message>
    <message>
        <source>1 … %1</source>
        <translation>1 … %1</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ListingModel</name>
    <message>
        <source>%1, line %2</source>
        <translation>%1，第 %2 行</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>floating point</source>
        <translation>浮点</translation>
    </message>
    <message>
        <source>matrix</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>store</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>spill</source>
        <translation>溢出</translation>
    </message>
    <message>
        <source>conversion</source>
        <translation>转换</translation>
    </message>
    <message>
        <source>move</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>jump or call</source>
        <translation>跳转或调用</translation>
    </message>
    <message>
        <source>barrier or atomic</source>
        <translation>屏障或原子</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>vector</source>
        <translation>向量</translation>
    </message>
    <message>
        <source>general</source>
        <translation>通用</translation>
    </message>
    <message>
        <source>mask</source>
        <translation>掩码</translation>
    </message>
    <message numerus="yes">
        <source>%Ln instruction(s)</source>
        <translation>
            <numerusform>%Ln 条指令</numerusform>
        </translation>
    </message>
    <message>
        <source>: </source>
        <translation>：</translation>
    </message>
    <message>
        <source>registers named: %1</source>
        <translation>涉及的寄存器：%1</translation>
    </message>
    <message>
        <source>no spills</source>
        <translation>无溢出</translation>
    </message>
    <message>
        <source>In the other code alone</source>
        <translation>只在另一份代码中</translation>
    </message>
    <message>
        <source>Not in the other code</source>
        <translation>另一份代码中没有</translation>
    </message>
    <message numerus="yes">
        <source>function, %Ln line(s)</source>
        <translation>
            <numerusform>函数，%Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>loop, %Ln line(s)</source>
        <translation>
            <numerusform>循环，%Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>block, %Ln line(s)</source>
        <translation>
            <numerusform>基本块，%Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %Ln loop(s)</source>
        <translation>
            <numerusform>位于 %Ln 层循环中</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::LogPreview</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Log preview</source>
        <translation>日志预览</translation>
    </message>
    <message>
        <source>Language of the log</source>
        <translation>日志语言</translation>
    </message>
    <message>
        <source>Write optimization_log.md with its charts</source>
        <translation>写入 optimization_log.md 及其图表</translation>
    </message>
    <message>
        <source>The newest %1 of %L2 rounds; the export has all</source>
        <translation>共 %L2 轮，显示最新 %1 轮；导出时包含全部</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::MainWindow</name>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Name the interpreter that has PyTorch and Triton</source>
        <translation>指定装有 PyTorch 和 Triton 的解释器</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>No program here opens it; the log is %1</source>
        <translation>没有可打开它的程序；日志位于 %1</translation>
    </message>
    <message>
        <source>Python is missing something</source>
        <translation>Python 缺少组件</translation>
    </message>
    <message>
        <source>The worker does not answer</source>
        <translation>worker 没有响应</translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation>重新连接</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::Menus</name>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;About KernelGen Studio</source>
        <translation>关于 KernelGen Studio(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;New project…</source>
        <translation>新建项目(&amp;N)…</translation>
    </message>
    <message>
        <source>&amp;Open project…</source>
        <translation>打开项目(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Import files of my own…</source>
        <translation>导入自己的文件(&amp;I)…</translation>
    </message>
    <message>
        <source>Make a project of a Triton or PyTorch file, or of a folder of them</source>
        <translation>由 Triton 或 PyTorch 文件（或其文件夹）建立项目</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>打开最近的项目(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Write the project and its sources</source>
        <translation>写入项目及其源代码</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>A copy in another folder, without its rounds</source>
        <translation>在另一文件夹中保存副本，不含轮次记录</translation>
    </message>
    <message>
        <source>Re&amp;vert</source>
        <translation>还原(&amp;V)</translation>
    </message>
    <message>
        <source>Back to what is on disk; can be undone</source>
        <translation>恢复为磁盘上的内容；可撤销</translation>
    </message>
    <message>
        <source>&amp;Export the log</source>
        <translation>导出日志(&amp;E)</translation>
    </message>
    <message>
        <source>Write optimization_log.md with its charts</source>
        <translation>写入 optimization_log.md 及其图表</translation>
    </message>
    <message>
        <source>&amp;Close project</source>
        <translation>关闭项目(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>Filter &amp;rounds</source>
        <translation>筛选轮次(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>设置(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <translation>撤销：%1(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo: %1</source>
        <translation>重做：%1(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>查找(&amp;F)…</translation>
    </message>
    <message>
        <source>Find in the source that is shown</source>
        <translation>在当前源代码中查找</translation>
    </message>
    <message>
        <source>Find ne&amp;xt</source>
        <translation>查找下一处(&amp;X)</translation>
    </message>
    <message>
        <source>Find pre&amp;vious</source>
        <translation>查找上一处(&amp;V)</translation>
    </message>
    <message>
        <source>Find and re&amp;place…</source>
        <translation>查找和替换(&amp;P)…</translation>
    </message>
    <message>
        <source>Go to &amp;line…</source>
        <translation>转到行(&amp;L)…</translation>
    </message>
    <message>
        <source>Go to sour&amp;ce…</source>
        <translation>转到源文件(&amp;C)…</translation>
    </message>
    <message>
        <source>All sources of the project</source>
        <translation>项目的所有源文件</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Measure ceilings</source>
        <translation>测量设备上限(&amp;M)</translation>
    </message>
    <message>
        <source>Measure what the device can reach; some ten seconds</source>
        <translation>测量设备可达到的性能；约需十秒</translation>
    </message>
    <message>
        <source>Verify and &amp;bench</source>
        <translation>验证并计时(&amp;B)</translation>
    </message>
    <message>
        <source>Verify the variant, time it against its baseline, record a round</source>
        <translation>验证该实现，与基准对比计时，并记录一轮</translation>
    </message>
    <message>
        <source>&amp;Verify only</source>
        <translation>仅验证(&amp;V)</translation>
    </message>
    <message>
        <source>Check accuracy; records nothing</source>
        <translation>检查精度；不记录轮次</translation>
    </message>
    <message>
        <source>&amp;Compare all variants</source>
        <translation>并列对比所有实现(&amp;C)</translation>
    </message>
    <message>
        <source>Verify and time every variant of the device side by side, in one run</source>
        <translation>在同一次运行中验证该设备上的每个实现并对比计时</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>End the run; what is under way is recorded as cancelled</source>
        <translation>结束运行；正在进行的轮次记录为“已取消”</translation>
    </message>
    <message>
        <source>B&amp;uild</source>
        <translation>编译(&amp;U)</translation>
    </message>
    <message>
        <source>Build the variant as it stands</source>
        <translation>按当前内容编译该实现</translation>
    </message>
    <message>
        <source>Write the &amp;note</source>
        <translation>填写备注(&amp;N)</translation>
    </message>
    <message>
        <source>Why the next round is made</source>
        <translation>说明下一轮的修改原因</translation>
    </message>
    <message>
        <source>Take the best round&apos;s &amp;tunables</source>
        <translation>采用最佳轮次的参数(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Reset tunables</source>
        <translation>重置参数(&amp;R)</translation>
    </message>
    <message>
        <source>The values that are saved</source>
        <translation>恢复为已保存的值</translation>
    </message>
    <message>
        <source>&amp;Generate sources</source>
        <translation>生成源代码(&amp;G)</translation>
    </message>
    <message>
        <source>Write the generated sources again from the definition</source>
        <translation>根据算子定义重新生成源代码</translation>
    </message>
    <message>
        <source>Bring &amp;in step</source>
        <translation>使文件同步(&amp;I)</translation>
    </message>
    <message>
        <source>Write stale files again and set tunables in place; leave edits alone</source>
        <translation>重新生成过期文件并就地更新可调参数；保留人工编辑</translation>
    </message>
    <message>
        <source>R&amp;ounds</source>
        <translation>轮次(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Restore the selected round</source>
        <translation>恢复所选轮次(&amp;R)</translation>
    </message>
    <message>
        <source>Its tunables and sources become the project&apos;s; can be undone</source>
        <translation>用其参数和源代码替换项目中的内容；可撤销</translation>
    </message>
    <message>
        <source>Main toolbar</source>
        <translation>主工具栏</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>Ma&amp;ximise the panel</source>
        <translation>最大化面板(&amp;X)</translation>
    </message>
    <message>
        <source>What has the focus fills the window, and back; so does a double click on a tab</source>
        <translation>焦点所在部分占满窗口，再按一次还原；双击标签亦可</translation>
    </message>
    <message>
        <source>Charts in a &amp;window</source>
        <translation>图表单独成窗(&amp;W)</translation>
    </message>
    <message>
        <source>A window of their own, and back</source>
        <translation>移到单独的窗口，再按一次放回</translation>
    </message>
    <message>
        <source>&amp;Default layout</source>
        <translation>默认布局(&amp;D)</translation>
    </message>
    <message>
        <source>Every panel back in its place</source>
        <translation>所有面板恢复原位</translation>
    </message>
    <message>
        <source>&amp;Larger source text</source>
        <translation>放大源代码字体(&amp;L)</translation>
    </message>
    <message>
        <source>S&amp;maller source text</source>
        <translation>缩小源代码字体(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Fit chart</source>
        <translation>图表适应窗口(&amp;F)</translation>
    </message>
    <message>
        <source>Show all of the chart that was used last</source>
        <translation>完整显示最近使用的图表</translation>
    </message>
    <message>
        <source>Chart &amp;legend</source>
        <translation>图例(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Copy chart</source>
        <translation>复制图表(&amp;C)</translation>
    </message>
    <message>
        <source>Save chart &amp;as…</source>
        <translation>图表另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>As PNG, SVG or PDF</source>
        <translation>保存为 PNG、SVG 或 PDF</translation>
    </message>
    <message>
        <source>&amp;System</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Tune</source>
        <translation>调优(&amp;T)</translation>
    </message>
    <message>
        <source>Find the best configuration of the variant</source>
        <translation>寻找该实现的最优配置</translation>
    </message>
    <message>
        <source>Pause or c&amp;ontinue the tuning</source>
        <translation>暂停或继续调优(&amp;O)</translation>
    </message>
    <message>
        <source>Pause the tuning that runs, or go on with the last one</source>
        <translation>暂停正在进行的调优，或继续上一次调优</translation>
    </message>
    <message>
        <source>&amp;Decide the tuning</source>
        <translation>立即裁定调优(&amp;D)</translation>
    </message>
    <message>
        <source>Search no further: the final decides now</source>
        <translation>不再搜索：立即进入决赛</translation>
    </message>
    <message>
        <source>&amp;Adopt the configuration</source>
        <translation>采用配置(&amp;A)</translation>
    </message>
    <message>
        <source>The tuning&apos;s configuration becomes the project&apos;s</source>
        <translation>调优得到的配置成为项目的配置</translation>
    </message>
    <message>
        <source>O&amp;perators of a model…</source>
        <translation>模型的算子(&amp;P)…</translation>
    </message>
    <message>
        <source>What each of a model&apos;s operators takes, and projects of them</source>
        <translation>模型中每个算子的耗时，以及由它们生成的项目</translation>
    </message>
    <message>
        <source>&amp;Optimise…</source>
        <translation>自动优化(&amp;O)…</translation>
    </message>
    <message>
        <source>Make rounds by itself: diagnose, apply a strategy, verify, time, until the target</source>
        <translation>自行完成各轮：诊断、应用策略、验证、计时，直至达到目标</translation>
    </message>
    <message>
        <source>App&amp;ly the most promising strategy</source>
        <translation>应用最有希望的策略(&amp;L)</translation>
    </message>
    <message>
        <source>The next round is made with what promises most for the selected one</source>
        <translation>以对所选轮次最有希望的策略完成下一轮</translation>
    </message>
    <message>
        <source>&amp;Gate…</source>
        <translation>性能门(&amp;G)…</translation>
    </message>
    <message>
        <source>Store how fast the kernel is, see whether it became slower, and the trend</source>
        <translation>保存内核的速度，查看它是否变慢以及趋势</translation>
    </message>
    <message>
        <source>Chec&amp;k the gate</source>
        <translation>检查性能门(&amp;K)</translation>
    </message>
    <message>
        <source>Compare the kernel as it is now with what is stored; records no round</source>
        <translation>将当前内核与保存的基准比较；不记录轮次</translation>
    </message>
    <message>
        <source>Patter&amp;ns…</source>
        <translation>规律(&amp;N)…</translation>
    </message>
    <message>
        <source>What strategies gained before, by which they are ordered</source>
        <translation>各策略以往的提升，策略据此排序</translation>
    </message>
    <message>
        <source>&amp;What if…</source>
        <translation>假设(&amp;W)…</translation>
    </message>
    <message>
        <source>What the selected round&apos;s kernel would take on a device with less</source>
        <translation>所选轮次的内核在资源较少的设备上需要多长时间</translation>
    </message>
    <message>
        <source>&amp;FP8 scaling…</source>
        <translation>FP8 缩放(&amp;F)…</translation>
    </message>
    <message>
        <source>Which FP8 format and scales a tensor needs, and what they cost</source>
        <translation>张量需要哪种 FP8 格式和缩放因子，以及其代价</translation>
    </message>
    <message>
        <source>Find an &amp;action…</source>
        <translation>查找操作(&amp;A)…</translation>
    </message>
    <message>
        <source>Every action of the window by some letters of its name</source>
        <translation>按名称中的几个字查找窗口的任意操作</translation>
    </message>
    <message>
        <source>No project has been opened yet</source>
        <translation>尚未打开过项目</translation>
    </message>
    <message>
        <source>Nothing to undo</source>
        <translation>没有可撤销的操作</translation>
    </message>
    <message>
        <source>Nothing to redo</source>
        <translation>没有可重做的操作</translation>
    </message>
    <message>
        <source>Open a project first</source>
        <translation>请先打开项目</translation>
    </message>
    <message>
        <source>Something runs: wait for its end, or stop it (Ctrl+.)</source>
        <translation>正在运行：请等其结束，或停止它（Ctrl+.）</translation>
    </message>
    <message>
        <source>Nothing runs</source>
        <translation>没有正在运行的内容</translation>
    </message>
    <message>
        <source>No tuning runs</source>
        <translation>没有正在运行的调优</translation>
    </message>
    <message>
        <source>No tuning of the variant is left to go on with</source>
        <translation>该实现没有可继续的调优</translation>
    </message>
    <message>
        <source>Select a round first</source>
        <translation>请先选择一轮</translation>
    </message>
    <message>
        <source>Nothing has changed since it was saved</source>
        <translation>保存后没有更改</translation>
    </message>
    <message>
        <source>&amp;Guide</source>
        <translation>指南(&amp;G)</translation>
    </message>
    <message>
        <source>The guide, at the place about what has the focus</source>
        <translation>指南中与当前焦点有关的位置</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>All keys of the window</source>
        <translation>窗口的所有快捷键</translation>
    </message>
    <message>
        <source>What the &amp;numbers mean</source>
        <translation>各数值的含义(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Star the selected round, or end that</source>
        <translation>为所选轮次加星标或取消(&amp;S)</translation>
    </message>
    <message>
        <source>Starred rounds stay on top of the table</source>
        <translation>加星标的轮次留在表格最上面</translation>
    </message>
    <message>
        <source>&amp;Best rounds only</source>
        <translation>仅最佳轮次(&amp;B)</translation>
    </message>
    <message>
        <source>Of each variant the best of the rounds that may be compared</source>
        <translation>每个实现在可相互比较的轮次中最好的一轮</translation>
    </message>
    <message>
        <source>La&amp;youts</source>
        <translation>布局(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Define</source>
        <translation>定义(&amp;D)</translation>
    </message>
    <message>
        <source>The definition beside the sources, and their problems</source>
        <translation>定义与源文件并列，以及问题</translation>
    </message>
    <message>
        <source>Tunables, tuning and charts</source>
        <translation>可调参数、调优和图表</translation>
    </message>
    <message>
        <source>D&amp;iagnose</source>
        <translation>诊断(&amp;I)</translation>
    </message>
    <message>
        <source>The source beside its assembly, and the diagnosis</source>
        <translation>源文件与汇编并列，以及诊断</translation>
    </message>
    <message>
        <source>Add to the &amp;queue</source>
        <translation>加入队列(&amp;Q)</translation>
    </message>
    <message>
        <source>Do what F5 does when its turn comes</source>
        <translation>轮到时执行 F5 所做的事</translation>
    </message>
    <message>
        <source>Queue ru&amp;ns…</source>
        <translation>排队运行(&amp;N)…</translation>
    </message>
    <message>
        <source>Configurations, devices and cases, to be run one after the other</source>
        <translation>选择参数配置、设备和测例，依次运行</translation>
    </message>
    <message>
        <source>&amp;Quick fix…</source>
        <translation>快速修复(&amp;Q)…</translation>
    </message>
    <message>
        <source>What could mend the definition: a name that was meant, an input that is missing</source>
        <translation>可以修正定义的更改：想写的名称、缺少的输入</translation>
    </message>
    <message>
        <source>Nothing that is wrong in the definition has a quick fix</source>
        <translation>定义中的错误没有快速修复</translation>
    </message>
    <message>
        <source>&amp;Tour</source>
        <translation>导览(&amp;T)</translation>
    </message>
    <message>
        <source>Five steps in the window itself; Esc leaves it</source>
        <translation>在窗口中分五步进行；按 Esc 离开</translation>
    </message>
    <message>
        <source>Reconnect the worker</source>
        <translation>重新连接 worker</translation>
    </message>
    <message>
        <source>Start it again and ask for its devices, where it was lost</source>
        <translation>连接断开时，重新启动 worker 并询问其设备</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::MessageLines</name>
    <message>
        <source> (and %1 more)</source>
        <translation>（另有 %1 条）</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ModeErrorsView</name>
    <message>
        <source>Errors of the modes</source>
        <translation>各缩放方式的误差</translation>
    </message>
    <message>
        <source>All elements are stored exactly: there is no error to show</source>
        <translation>所有元素都精确存储：没有可显示的误差</translation>
    </message>
    <message>
        <source>Absolute error</source>
        <translation>绝对误差</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>Elements with less</source>
        <translation>误差更小的元素占比</translation>
    </message>
    <message>
        <source>Steps: elements; lines: share with a smaller error (right axis)</source>
        <translation>阶梯线：元素数；折线：误差更小的元素所占比例（右轴）</translation>
    </message>
    <message>
        <source>Dotted: delayed scales</source>
        <translation>点线：延迟缩放</translation>
    </message>
    <message>
        <source>%1: %L2 elements with an error from %3 to %4; %5 have less than that</source>
        <translation>%1：%L2 个元素的误差在 %3 至 %4 之间；%5 的误差小于此</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ModelSetup</name>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose the model&apos;s file</source>
        <translation>选择模型文件</translation>
    </message>
    <message>
        <source>A Python file with a model and its inputs; it can be dropped here</source>
        <translation>含有模型及其输入的 Python 文件；可拖放到此处</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>测例</translation>
    </message>
    <message>
        <source>A case of the file&apos;s `cases`</source>
        <translation>文件 `cases` 中的一个测例</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Where it runs</source>
        <translation>在哪里运行</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>时限</translation>
    </message>
    <message>
        <source>Seconds that everything may take</source>
        <translation>全部过程允许的秒数</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>End the model&apos;s process</source>
        <translation>结束模型的进程</translation>
    </message>
    <message>
        <source>File of the model</source>
        <translation>模型文件</translation>
    </message>
    <message>
        <source>Python files (*.py)</source>
        <translation>Python 文件 (*.py)</translation>
    </message>
    <message>
        <source>Something else is running: it comes after that</source>
        <translation>另有任务正在运行：请在其后再做</translation>
    </message>
    <message>
        <source>Choose a model first</source>
        <translation>请先选择模型</translation>
    </message>
    <message>
        <source>Execute the model, in a process with limits, and time its calls</source>
        <translation>在受限的进程中执行模型，并测量其调用</translation>
    </message>
    <message>
        <source>Reading the file</source>
        <translation>正在读取文件</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>%1, %2 s</source>
        <translation>%1，%2 秒</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ModelTables</name>
    <message>
        <source>Calls of operators</source>
        <translation>算子的调用</translation>
    </message>
    <message>
        <source>Neighbours of which each feeds the next</source>
        <translation>依次供给下一个的相邻调用</translation>
    </message>
    <message>
        <source>What is known of the chosen calls</source>
        <translation>所选调用的详情</translation>
    </message>
    <message>
        <source>Calls of which each uses what one before it made, as if they were one kernel</source>
        <translation>每个都使用前面结果的调用，视作一个内核</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>全部复制</translation>
    </message>
    <message>
        <source>Calls (%1)</source>
        <translation>调用 (%1)</translation>
    </message>
    <message>
        <source>Neighbours (%1)</source>
        <translation>相邻组 (%1)</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ModelWindow</name>
    <message>
        <source>Operators of a model</source>
        <translation>模型的算子</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Make a project of these calls</source>
        <translation>由这些调用生成项目</translation>
    </message>
    <message>
        <source>Gain with a project</source>
        <translation>换用项目后的收益</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>to</source>
        <translation>至</translation>
    </message>
    <message>
        <source>First call</source>
        <translation>首个调用</translation>
    </message>
    <message>
        <source>Last call</source>
        <translation>最后一个调用</translation>
    </message>
    <message>
        <source>The open project</source>
        <translation>打开的项目</translation>
    </message>
    <message>
        <source>The open project, %1</source>
        <translation>打开的项目 %1</translation>
    </message>
    <message>
        <source>Choose a project…</source>
        <translation>选择项目…</translation>
    </message>
    <message>
        <source>Without projects</source>
        <translation>不用项目</translation>
    </message>
    <message>
        <source>A project made of this model&apos;s calls</source>
        <translation>由此模型的调用生成的项目</translation>
    </message>
    <message numerus="yes">
        <source>gains the whole with %n project(s)</source>
        <translation>
            <numerusform>换用 %n 个项目后整体的收益</numerusform>
        </translation>
    </message>
    <message>
        <source>No ceilings are known of %1, so there are no gains, and the order is that of time.</source>
        <translation>%1 的上限未知，因此没有收益，并按时间排序。</translation>
    </message>
    <message>
        <source>Measure them</source>
        <translation>测量上限</translation>
    </message>
    <message>
        <source>What would a model gain, and from which of its operators?</source>
        <translation>模型能有多大收益，来自哪些算子？</translation>
    </message>
    <message>
        <source>Choose a Python file with a model and its inputs, such as a problem of KernelBench with Model, get_inputs and get_init_inputs. Or drop it here.</source>
        <translation>请选择含有模型及其输入的 Python 文件，例如带有 Model、get_inputs 和 get_init_inputs 的 KernelBench 题目；也可拖放到此处。</translation>
    </message>
    <message>
        <source>Each call of an operator is timed and placed on the roofline. What gains most comes first: make a project of it, tune it, and see what the whole gains.</source>
        <translation>每次算子调用都会计时并置于 Roofline 上。收益最大的排在最前：由它生成项目、调优，再看整体的收益。</translation>
    </message>
    <message>
        <source>The file is only read until you press Measure.</source>
        <translation>在按下“测量”之前，文件只会被读取。</translation>
    </message>
    <message>
        <source>The file has a model and its inputs. Measure executes it, in a process with limits.</source>
        <translation>文件中有模型及其输入。“测量”会在受限的进程中执行它。</translation>
    </message>
    <message>
        <source>The model runs as a whole, and then each of its calls alone.</source>
        <translation>先整体运行模型，然后单独运行它的每次调用。</translation>
    </message>
    <message>
        <source>Edit &gt; Settings names the interpreter that has PyTorch.</source>
        <translation>在“编辑 &gt; 设置”中指定装有 PyTorch 的解释器。</translation>
    </message>
    <message>
        <source>A new project in %1, which is then opened</source>
        <translation>在 %1 中新建项目并打开</translation>
    </message>
    <message>
        <source>Something else is running: it comes after that</source>
        <translation>另有任务正在运行：请在其后再做</translation>
    </message>
    <message>
        <source>The whole with the fastest right round of a project in the place of its calls</source>
        <translation>用项目中正确且最快的一轮替换其调用后的整体</translation>
    </message>
    <message>
        <source>Save the operators</source>
        <translation>保存算子</translation>
    </message>
    <message>
        <source>Markdown (*.md);;JSON (*.json)</source>
        <translation>Markdown (*.md);;JSON (*.json)</translation>
    </message>
    <message>
        <source>%1 was not measured</source>
        <translation>%1 未能测量</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::NewProjectWizard</name>
    <message>
        <source>New project</source>
        <translation>新建项目</translation>
    </message>
    <message>
        <source>Blank</source>
        <translation>空白</translation>
    </message>
    <message>
        <source>Begin with</source>
        <translation>起始模板</translation>
    </message>
    <message>
        <source>The definition that is there to begin with</source>
        <translation>作为起点的算子定义</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Is made; must not hold a project yet</source>
        <translation>将自动创建；其中不能已有项目</translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>What will be made</source>
        <translation>将要生成的内容</translation>
    </message>
    <message>
        <source>Analysis</source>
        <translation>分析</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>创建</translation>
    </message>
    <message>
        <source>Where the project&apos;s folder is to be</source>
        <translation>项目文件夹的位置</translation>
    </message>
    <message>
        <source>Give the project a folder</source>
        <translation>请为项目指定文件夹</translation>
    </message>
    <message>
        <source>The folder is to be a whole path, from /</source>
        <translation>请输入以 / 开头的完整路径</translation>
    </message>
    <message>
        <source>The folder already holds a project</source>
        <translation>该文件夹中已有项目</translation>
    </message>
    <message>
        <source>%1 is not a folder</source>
        <translation>%1 不是文件夹</translation>
    </message>
    <message>
        <source>%1 cannot be written to</source>
        <translation>%1 不可写</translation>
    </message>
    <message>
        <source>Nothing before the definition&apos;s errors are put right</source>
        <translation>修正算子定义中的错误后才能生成</translation>
    </message>
    <message>
        <source>oneDNN&apos;s %1</source>
        <translation>oneDNN 的 %1</translation>
    </message>
    <message>
        <source>, tunables %1</source>
        <translation>，可调参数 %1</translation>
    </message>
    <message>
        <source> (the baseline)</source>
        <translation>（基准）</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::Notices</name>
    <message>
        <source>Unsaved changes of %1 were found</source>
        <translation>发现 %1 时未保存的修改</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>The project was changed on disk by another program, and has unsaved changes here</source>
        <translation>项目在磁盘上被其他程序修改，而此处有未保存的修改</translation>
    </message>
    <message>
        <source>The project was changed on disk by another program, and cannot be read: %1</source>
        <translation>项目在磁盘上被其他程序修改，且无法读取：%1</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新加载</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留我的修改</translation>
    </message>
    <message numerus="yes">
        <source>%n part(s) of project.json cannot be read; saving keeps them as they are</source>
        <translation>
            <numerusform>project.json 有 %n 处无法读取；保存时保持原样</numerusform>
        </translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::OperatorPanel</name>
    <message>
        <source>Analysis</source>
        <translation>分析</translation>
    </message>
    <message>
        <source>The generated sources are of an older definition</source>
        <translation>已生成的源代码对应旧的算子定义</translation>
    </message>
    <message>
        <source>Generate sources</source>
        <translation>生成源代码</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::OptimizeDialog</name>
    <message>
        <source>Optimise</source>
        <translation>自动优化</translation>
    </message>
    <message>
        <source>Makes rounds by itself: diagnoses the best one so far, applies the strategy that promises most, verifies, times and records. Each round has its own sources and tunables; your files stay as they are, but for unsaved changes, which are saved first, and a generated variant that may be added to the project.</source>
        <translation>自行完成各轮：诊断目前最好的一轮，应用最有希望的策略，验证、计时并记录。每一轮都有各自的源代码和参数；您的文件保持不变，但未保存的修改会先保存，并且可能向项目添加一个生成的实现。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>实现</translation>
    </message>
    <message>
        <source>As chosen in the toolbar</source>
        <translation>与工具栏中的选择一致</translation>
    </message>
    <message>
        <source>Rounds at most</source>
        <translation>最多轮数</translation>
    </message>
    <message>
        <source>Beside the one that measures the start</source>
        <translation>不含测量起点的那一轮</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>The speedup in every case at which it ends</source>
        <translation>每个测例都达到此加速比时结束</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>时间预算</translation>
    </message>
    <message>
        <source>Time for all rounds, such as 90s, 5m or 1h</source>
        <translation>所有轮次的总时间，例如 90s、5m 或 1h</translation>
    </message>
    <message>
        <source>The budget is no time: write such as 90s, 5m or 1h</source>
        <translation>时间预算不是时间：请写成 90s、5m 或 1h</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::Panels</name>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Tunables</source>
        <translation>可调参数</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Consistency</source>
        <translation>一致性</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>并列对比</translation>
    </message>
    <message>
        <source>Run log</source>
        <translation>运行日志</translation>
    </message>
    <message>
        <source>Log preview</source>
        <translation>日志预览</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Problems (%1)</source>
        <translation>问题（%1）</translation>
    </message>
    <message>
        <source>Consistency (%1)</source>
        <translation>一致性 (%1)</translation>
    </message>
    <message>
        <source>Tuning</source>
        <translation>调优</translation>
    </message>
    <message>
        <source>Diagnosis</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>Assembly</source>
        <translation>汇编</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Queue (%1)</source>
        <translation>队列 (%1)</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ParallelView</name>
    <message>
        <source>Parallel coordinates</source>
        <translation>平行坐标</translation>
    </message>
    <message>
        <source>The variant has one tunable only: All configurations shows it</source>
        <translation>该实现只有一个可调参数：见“全部配置”</translation>
    </message>
    <message>
        <source>%1 of %2: the best, and some of the others</source>
        <translation>%2 个中的 %1 个：最优的，以及其余的一部分</translation>
    </message>
    <message>
        <source>%1 that failed are left out</source>
        <translation>未画出失败的 %1 个</translation>
    </message>
    <message>
        <source>The better, the stronger and higher</source>
        <translation>越优，颜色越深，位置越高</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ParetoView</name>
    <message>
        <source>Time against memory or energy</source>
        <translation>时间与内存或能耗</translation>
    </message>
    <message>
        <source>No energy was measured: start a tuning on a GPU with an objective such as &quot;0.7 time 0.3 energy&quot;</source>
        <translation>没有测量能耗：请在 GPU 上以 &quot;0.7 time 0.3 energy&quot; 之类的目标开始调优</translation>
    </message>
    <message>
        <source>No configuration takes workspace or shared memory: the fastest is the best</source>
        <translation>没有配置占用工作区或共享内存：最快的就是最优的</translation>
    </message>
    <message>
        <source>Time of one call</source>
        <translation>单次调用耗时</translation>
    </message>
    <message>
        <source>Workspace and shared memory</source>
        <translation>工作区与共享内存</translation>
    </message>
    <message>
        <source>Energy of one call</source>
        <translation>单次调用能耗</translation>
    </message>
    <message>
        <source>all that succeeded</source>
        <translation>全部成功的配置</translation>
    </message>
    <message>
        <source>Pareto front</source>
        <translation>帕累托前沿</translation>
    </message>
    <message>
        <source>the configuration before</source>
        <translation>原有配置</translation>
    </message>
    <message>
        <source>One configuration is best in both</source>
        <translation>同一个配置在两方面都最优</translation>
    </message>
    <message>
        <source>No configuration beats those on the line in both</source>
        <translation>没有配置在两方面都优于线上的配置</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>能耗</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::PatternLibrary</name>
    <message numerus="yes">
        <source>Imported %n pattern(s)</source>
        <translation>
            <numerusform>已导入 %n 条规律</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Exported %n pattern(s) of your own</source>
        <translation>
            <numerusform>已导出 %n 条您自己的规律</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::PatternsModel</name>
    <message>
        <source>own</source>
        <translation>自己</translation>
    </message>
    <message>
        <source>shipped</source>
        <translation>随附</translation>
    </message>
    <message>
        <source>imported</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>elementwise</source>
        <translation>逐元素</translation>
    </message>
    <message>
        <source>broadcast</source>
        <translation>广播</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>按行</translation>
    </message>
    <message>
        <source>small</source>
        <translation>小</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>large</source>
        <translation>大</translation>
    </message>
    <message>
        <source>short rows</source>
        <translation>短行</translation>
    </message>
    <message>
        <source>long rows</source>
        <translation>长行</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>The gains of nine of ten next rounds lie there; it needs two rounds</source>
        <translation>今后十轮中有九轮的提升在此区间；至少需要两轮</translation>
    </message>
    <message>
        <source>Time before over time after, the mean of all rounds</source>
        <translation>之前耗时 / 之后耗时，所有轮次的均值</translation>
    </message>
    <message>
        <source>Rounds that became slower, or were not right</source>
        <translation>变慢或结果不正确的轮次</translation>
    </message>
    <message>
        <source>A double click writes a note</source>
        <translation>双击可写备注</translation>
    </message>
    <message>
        <source>Disabled: it says nothing of the strategy any more</source>
        <translation>已停用：不再影响该策略</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>诊断结论</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Dtype</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>提升</translation>
    </message>
    <message>
        <source>Next gain, 90 %</source>
        <translation>下次提升，90 %</translation>
    </message>
    <message>
        <source>Against</source>
        <translation>反例</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::PatternsWindow</name>
    <message>
        <source>A pattern is what a strategy gained before, for a finding, a kind of operator, its dtype, shapes and device. Patterns order the strategies of the Diagnosis. Your own rounds make them; those of others lose weight where your rounds contradict them.</source>
        <translation>一条规律记录某策略以往的提升，区分诊断结论、算子类别、数据类型、形状与设备。诊断中的策略据此排序。规律来自您自己的轮次；他人的规律若与您的轮次不符，权重会降低。</translation>
    </message>
    <message>
        <source>Patterns</source>
        <translation>规律</translation>
    </message>
    <message>
        <source>Filter: a strategy, finding, device …</source>
        <translation>筛选：策略、诊断结论、设备……</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Disable</source>
        <translation>停用</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Export my own…</source>
        <translation>导出我的规律…</translation>
    </message>
    <message>
        <source>Patterns of others: they count as six rounds at most, and less where yours contradict</source>
        <translation>他人的规律：最多按六轮计，与您的规律不符时更少</translation>
    </message>
    <message>
        <source>Patterns of your own rounds, as a file for others</source>
        <translation>将您自己轮次的规律存为文件，供他人使用</translation>
    </message>
    <message>
        <source>No pattern yet. Optimise… (F8) and Apply as next round in the Diagnosis make them, and Import… takes those of others.</source>
        <translation>还没有规律。“优化…”(F8) 和诊断中的“应用为下一轮”会产生规律，“导入…”可读入他人的规律。</translation>
    </message>
    <message>
        <source>Reading the patterns</source>
        <translation>正在读取规律</translation>
    </message>
    <message>
        <source>Enable</source>
        <translation>启用</translation>
    </message>
    <message>
        <source>A disabled pattern says nothing of its strategy; so does the box of its row</source>
        <translation>停用的规律不再影响其策略；也可用该行的复选框</translation>
    </message>
    <message>
        <source>Choose a pattern first</source>
        <translation>请先选择一条规律</translation>
    </message>
    <message>
        <source>Forget it; new rounds may make it again</source>
        <translation>忘记它；新的轮次可能再次产生它</translation>
    </message>
    <message>
        <source>It is shipped with the program: disable it</source>
        <translation>它随程序提供：可以停用</translation>
    </message>
    <message>
        <source>Import patterns</source>
        <translation>导入规律</translation>
    </message>
    <message>
        <source>Patterns (*.jsonl);;All files (*)</source>
        <translation>规律 (*.jsonl);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Export patterns</source>
        <translation>导出规律</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ProblemsModel</name>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>处理方法</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ProblemsPanel</name>
    <message>
        <source>No problems</source>
        <translation>没有问题</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Enter or a double click goes to the place</source>
        <translation>按 Enter 或双击可跳转到对应位置</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Cannot run: %1</source>
        <translation>无法运行：%1</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ProgramField</name>
    <message>
        <source>not found: install it, or give its path</source>
        <translation>未找到：请安装，或指定其路径</translation>
    </message>
    <message>
        <source>does not answer: %1</source>
        <translation>没有响应：%1</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ProjectDocument</name>
    <message>
        <source>revert to what is saved</source>
        <translation>还原为已保存的内容</translation>
    </message>
    <message>
        <source>revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>%1 = %2</source>
        <translation>%1 = %2</translation>
    </message>
    <message>
        <source>generate sources</source>
        <translation>生成源代码</translation>
    </message>
    <message>
        <source>remove what cannot be read</source>
        <translation>移除无法读取的内容</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ProjectFiles</name>
    <message>
        <source>Opened %1</source>
        <translation>已打开 %1</translation>
    </message>
    <message>
        <source>Open project</source>
        <translation>打开项目</translation>
    </message>
    <message>
        <source>The project cannot be opened:</source>
        <translation>无法打开项目：</translation>
    </message>
    <message>
        <source>Projects (project.json)</source>
        <translation>项目 (project.json)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as: a new folder</source>
        <translation>另存为：新文件夹</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>Reverted; Ctrl+Z brings the changes back</source>
        <translation>已还原；按 Ctrl+Z 可找回修改</translation>
    </message>
    <message>
        <source>Exporting the log</source>
        <translation>正在导出日志</translation>
    </message>
    <message numerus="yes">
        <source>Wrote %1 with %n chart(s)</source>
        <translation>
            <numerusform>已写入 %1，含 %n 幅图表</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Generated %n source(s); edited ones were kept</source>
        <translation>
            <numerusform>已生成 %n 个源文件；已编辑的源文件予以保留</numerusform>
        </translation>
    </message>
    <message>
        <source>Restored round %1; Ctrl+Z takes it back</source>
        <translation>已恢复第 %1 轮；按 Ctrl+Z 可撤销</translation>
    </message>
    <message>
        <source>A run is under way</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Stop the run? It is recorded as cancelled.</source>
        <translation>是否停止运行？该轮将记录为“已取消”。</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的修改</translation>
    </message>
    <message>
        <source>Save the changes to %1?</source>
        <translation>是否保存对 %1 的修改？</translation>
    </message>
    <message>
        <source>A tuning is under way</source>
        <translation>调优正在进行</translation>
    </message>
    <message>
        <source>Pause the tuning? Continue in the Tuning tab goes on with it, also after a new start.</source>
        <translation>暂停调优？之后可在“调优”面板点“继续”接着进行，重新启动后也可以。</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Let it run</source>
        <translation>让它继续</translation>
    </message>
    <message>
        <source>Stop it? It must then be started again.</source>
        <translation>要停止它吗？之后需要重新开始。</translation>
    </message>
    <message>
        <source>Opened %1; Ctrl+Shift+M goes back to the model</source>
        <translation>已打开 %1；Ctrl+Shift+M 返回模型</translation>
    </message>
    <message>
        <source>Made %1; it is under File &gt; Open recent</source>
        <translation>已创建 %1；可在“文件 &gt; 最近打开的项目”中找到</translation>
    </message>
    <message>
        <source>Stop the optimisation? The round under work is not recorded; those before it stay.</source>
        <translation>停止自动优化？进行中的一轮不会被记录，之前的轮次会保留。</translation>
    </message>
    <message>
        <source>Runs are queued</source>
        <translation>队列中有运行</translation>
    </message>
    <message numerus="yes">
        <source>Forget the %n run(s) that wait in the queue?</source>
        <translation>
            <numerusform>忘记队列中等待的 %n 次运行？</numerusform>
        </translation>
    </message>
    <message>
        <source>Forget them</source>
        <translation>忘记</translation>
    </message>
    <message>
        <source>Keep the project open</source>
        <translation>保持项目打开</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ProjectTable</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: add</source>
        <translation>%1：添加</translation>
    </message>
    <message>
        <source>%1: remove</source>
        <translation>%1：删除</translation>
    </message>
    <message>
        <source>%1: move</source>
        <translation>%1：移动</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::PrunedModel</name>
    <message>
        <source>Why it is never tried</source>
        <translation>不予尝试的原因</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::PrunedPage</name>
    <message>
        <source>Configurations that are never tried</source>
        <translation>不予尝试的配置</translation>
    </message>
    <message>
        <source>%L1 of %L2 are listed: %L3 for each reason at most</source>
        <translation>列出 %L1 / %L2 个：每种原因最多 %L3 个</translation>
    </message>
    <message>
        <source>Press Start: what a tuning never tries, and why, is listed here</source>
        <translation>按“开始”：调优不予尝试的配置及其原因将列在此处</translation>
    </message>
    <message>
        <source>Every configuration may be tried</source>
        <translation>所有配置均可尝试</translation>
    </message>
    <message>
        <source>What is never tried is being listed…</source>
        <translation>正在列出不予尝试的配置…</translation>
    </message>
    <message>
        <source>What this tuning never tries is listed here once it is known</source>
        <translation>本次调优不会尝试的配置确定后列于此处</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::QueueDialog</name>
    <message>
        <source>A round for each case</source>
        <translation>每个测例一轮</translation>
    </message>
    <message>
        <source>Queue runs</source>
        <translation>排队运行</translation>
    </message>
    <message>
        <source>Every combination of what is marked is a run. They are made one after the other with the sources as they are now, also while you go on; one that fails stops none of the others.</source>
        <translation>所勾选内容的每种组合是一次运行。它们按现在的源码依次进行，您可以继续工作；其中一次失败不影响其余。</translation>
    </message>
    <message>
        <source>What to run</source>
        <translation>运行什么</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Why these rounds are made; the log prints it</source>
        <translation>为什么做这些轮次；日志会写出来</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Cases</source>
        <translation>测例</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n that a restriction forbids is (are) left out</source>
        <translation>
            <numerusform>略去 %n 次被约束禁止的运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Queue %n run(s)</source>
        <translation>
            <numerusform>排队 %n 次运行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::QueueModel</name>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Round %1: %2</source>
        <translation>第 %1 轮：%2</translation>
    </message>
    <message>
        <source>%1 cases</source>
        <translation>%1 个测例</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分钟</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>实现</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Tunables</source>
        <translation>参数配置</translation>
    </message>
    <message>
        <source>Cases</source>
        <translation>测例</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Takes</source>
        <translation>用时</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::QueuePanel</name>
    <message>
        <source>Queued runs</source>
        <translation>排队的运行</translation>
    </message>
    <message>
        <source>Enter or a double click selects the round</source>
        <translation>回车或双击选中该轮次</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Queue runs…</source>
        <translation>排队运行…</translation>
    </message>
    <message>
        <source>Configurations, devices and cases, to be run one after the other</source>
        <translation>选择参数配置、设备和测例，依次运行</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>提前</translation>
    </message>
    <message>
        <source>The marked runs change places with the one before</source>
        <translation>所标记的运行与前一个交换位置</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>推后</translation>
    </message>
    <message>
        <source>The marked runs change places with the one behind</source>
        <translation>所标记的运行与后一个交换位置</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The marked runs are not made, or are stopped; the others go on</source>
        <translation>不再进行或停止所标记的运行；其余继续</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Begin no further run; the one under way goes on</source>
        <translation>不再开始新的运行；正在进行的继续</translation>
    </message>
    <message>
        <source>Clear ended</source>
        <translation>清除已结束</translation>
    </message>
    <message>
        <source>Take what has ended out of the list; rounds stay recorded</source>
        <translation>从列表中去掉已结束的；轮次仍保留</translation>
    </message>
    <message>
        <source>Open a project to queue its runs.</source>
        <translation>打开一个项目以排队运行。</translation>
    </message>
    <message>
        <source>Nothing is queued. Ctrl+Shift+F5 chooses configurations, devices and cases to be run one after the other; Ctrl+F5 queues what F5 would run.</source>
        <translation>队列为空。Ctrl+Shift+F5 选择参数配置、设备和测例依次运行；Ctrl+F5 把 F5 会做的运行排入队列。</translation>
    </message>
    <message>
        <source>%1 of %2 done</source>
        <translation>已完成 %1 / %2</translation>
    </message>
    <message>
        <source>, %1 failed</source>
        <translation>，%1 次失败</translation>
    </message>
    <message>
        <source>, paused</source>
        <translation>，已暂停</translation>
    </message>
    <message>
        <source>, about %1 left</source>
        <translation>，约剩 %1</translation>
    </message>
    <message>
        <source>, until %1</source>
        <translation>，至 %1</translation>
    </message>
    <message>
        <source>Open a project first</source>
        <translation>请先打开一个项目</translation>
    </message>
    <message>
        <source>Mark runs that wait first</source>
        <translation>请先标记等待中的运行</translation>
    </message>
    <message>
        <source>Mark runs that wait, or the one under way</source>
        <translation>请标记等待中的或正在进行的运行</translation>
    </message>
    <message>
        <source>Nothing waits in the queue</source>
        <translation>队列中没有等待的运行</translation>
    </message>
    <message>
        <source>Nothing in the queue has ended</source>
        <translation>队列中没有已结束的运行</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::Recovery</name>
    <message>
        <source>%1 is no copy of unsaved changes that can be read; it was set aside</source>
        <translation>%1 不是可读取的未保存修改的副本，已将其移到一旁</translation>
    </message>
    <message>
        <source>restore unsaved changes</source>
        <translation>恢复未保存的修改</translation>
    </message>
    <message>
        <source>Unsaved changes cannot be kept against a crash: %1</source>
        <translation>无法为防止崩溃而保留未保存的修改：%1</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::RooflineView</name>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>This operator does no arithmetic, so it has no place on a roofline: see how its bandwidth goes with size</source>
        <translation>该算子没有浮点运算，不适用 Roofline 模型：请查看有效带宽随规模的变化</translation>
    </message>
    <message>
        <source>No timed round on %1 yet: press F5 to verify and bench</source>
        <translation>在 %1 上尚无完成计时的轮次：按 F5 验证并计时</translation>
    </message>
    <message>
        <source>Arrows for %1 rounds at a time</source>
        <translation>最多同时显示 %1 轮的箭头</translation>
    </message>
    <message>
        <source>Rounds on other devices, not shown: %1</source>
        <translation>其他设备上的轮次未显示：%1</translation>
    </message>
    <message>
        <source>copy %1</source>
        <translation>复制 %1</translation>
    </message>
    <message>
        <source>read %1</source>
        <translation>读取 %1</translation>
    </message>
    <message>
        <source>write %1</source>
        <translation>写入 %1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>No ceilings: press Ctrl+M to measure them</source>
        <translation>没有设备上限：按 Ctrl+M 测量</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::RoundColumns</name>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Star</source>
        <translation>星标</translation>
    </message>
    <message>
        <source>A column for each tunable</source>
        <translation>每个可调参数一列</translation>
    </message>
    <message>
        <source>The usual columns</source>
        <translation>默认的列</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::RoundDetails</name>
    <message>
        <source>Details of the round</source>
        <translation>轮次详情</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>经验总结</translation>
    </message>
    <message>
        <source>Select a round to see all of it</source>
        <translation>选择一轮以查看其全部内容</translation>
    </message>
    <message>
        <source>Selected round</source>
        <translation>所选轮次</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::RoundsModel</name>
    <message>
        <source>Not timed: %1</source>
        <translation>未计时：%1</translation>
    </message>
    <message>
        <source>Of the slowest case, %1</source>
        <translation>取最慢测例的值：%1</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Of the slowest case, with its 95 % interval</source>
        <translation>取最慢测例的值，附 95 % 置信区间</translation>
    </message>
    <message>
        <source>Against the parent round, where both may be compared</source>
        <translation>相对于父轮次（两轮可比较时）</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>提升</translation>
    </message>
    <message>
        <source>Effective bandwidth of the slowest case</source>
        <translation>最慢测例的有效带宽</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>实现</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>参数配置</translation>
    </message>
    <message>
        <source>The kind of change since the parent round</source>
        <translation>相对于父轮次的修改类型</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>修改类型</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Starred: it stays on top. A click ends that</source>
        <translation>已加星标：留在最上面。点击可取消</translation>
    </message>
    <message>
        <source>A click stars it: it then stays on top</source>
        <translation>点击加星标：之后留在最上面</translation>
    </message>
    <message>
        <source>starred</source>
        <translation>已加星标</translation>
    </message>
    <message>
        <source>not starred</source>
        <translation>未加星标</translation>
    </message>
    <message>
        <source>Rounds of yours that stay on top</source>
        <translation>您希望留在最上面的轮次</translation>
    </message>
    <message>
        <source>The tunable %1</source>
        <translation>可调参数 %1</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::RoundsPanel</name>
    <message>
        <source>Filter rounds</source>
        <translation>筛选轮次</translation>
    </message>
    <message>
        <source>Rounds that have this text in any column</source>
        <translation>任一列包含此文本的轮次</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Restore this round</source>
        <translation>恢复此轮</translation>
    </message>
    <message>
        <source>Its tunables and sources become the project&apos;s; can be undone</source>
        <translation>用其参数和源代码替换项目中的内容；可撤销</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>With the other marked round, or with its parent; Ctrl and a click mark a second one</source>
        <translation>与另一选中的轮次或其父轮次对比；按住 Ctrl 单击可选中第二轮</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>The marked rounds, for a spreadsheet</source>
        <translation>复制选中的轮次，可粘贴到电子表格</translation>
    </message>
    <message>
        <source>Round %1 is running</source>
        <translation>第 %1 轮正在运行</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>%L1 of %L2</source>
        <translation>%L1 / %L2</translation>
    </message>
    <message>
        <source>No round matches the filter</source>
        <translation>没有符合筛选条件的轮次</translation>
    </message>
    <message>
        <source>No rounds yet. F5 verifies and times the variant, and records the first one</source>
        <translation>尚无轮次。按 F5 验证该实现并计时，记录第一轮</translation>
    </message>
    <message>
        <source>Select a round first</source>
        <translation>请先选择一轮</translation>
    </message>
    <message>
        <source>Best only</source>
        <translation>仅最佳</translation>
    </message>
    <message>
        <source>Of each variant the best round of those that may be compared, and what is starred</source>
        <translation>每个实现在可相互比较的轮次中最好的一轮，以及加星标的轮次</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Which columns are shown; drag a title to move its column</source>
        <translation>显示哪些列；拖动标题可移动列</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::Rules</name>
    <message>
        <source>There are no rules to adopt</source>
        <translation>没有可采用的规则</translation>
    </message>
    <message>
        <source>Something runs: wait for its end, or stop it (Ctrl+.)</source>
        <translation>有任务正在运行：请等待其结束，或将其停止 (Ctrl+.)</translation>
    </message>
    <message>
        <source>Verify the rules of %1 on %2</source>
        <translation>在 %2 上验证 %1 的规则</translation>
    </message>
    <message>
        <source>The rules were not adopted: the project is as it was</source>
        <translation>规则未被采用：项目保持原样</translation>
    </message>
    <message>
        <source>The rules were not adopted: the project was edited meanwhile</source>
        <translation>规则未被采用：项目在此期间被编辑</translation>
    </message>
    <message>
        <source>adopt rules of tuning %1</source>
        <translation>采用调优 %1 的规则</translation>
    </message>
    <message>
        <source>Adopted the rules of tuning %1</source>
        <translation>已采用调优 %1 的规则</translation>
    </message>
    <message>
        <source>The rules were not adopted: %1</source>
        <translation>规则未被采用：%1</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::RulesDialog</name>
    <message>
        <source>Rules by case</source>
        <translation>按测例的规则</translation>
    </message>
    <message>
        <source>Proposed rules</source>
        <translation>建议的规则</translation>
    </message>
    <message>
        <source>Rule and its cases</source>
        <translation>规则及其测例</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>参数配置</translation>
    </message>
    <message>
        <source>Over its best</source>
        <translation>比最优慢</translation>
    </message>
    <message>
        <source>× present</source>
        <translation>× 当前配置</translation>
    </message>
    <message>
        <source>× without the rule</source>
        <translation>× 无此规则</translation>
    </message>
    <message>
        <source>How much slower the case is than with its own best configuration</source>
        <translation>该测例比使用自身最优配置慢多少</translation>
    </message>
    <message>
        <source>Speedup over the project&apos;s present configuration</source>
        <translation>相对项目当前配置的加速比</translation>
    </message>
    <message>
        <source>Speedup over what would count without this rule; – where that is not right, or was not measured</source>
        <translation>相对没有此规则时所用配置的加速比；“–”表示该配置结果不正确或未测量</translation>
    </message>
    <message>
        <source>Verify and adopt</source>
        <translation>验证并采用</translation>
    </message>
    <message>
        <source>The fewest rules for %1 on %2 by which no case loses more than 1 % against its own best.</source>
        <translation>%1 在 %2 上的最少规则：每个测例与自身最优相比损失不超过 1 %。</translation>
    </message>
    <message>
        <source>The project has them already.</source>
        <translation>项目已采用这些规则。</translation>
    </message>
    <message>
        <source>They are verified on all cases first; the project is saved.</source>
        <translation>采用前先在所有测例上验证；项目会被保存。</translation>
    </message>
    <message>
        <source>when %1</source>
        <translation>当 %1 时</translation>
    </message>
    <message>
        <source>where no rule holds</source>
        <translation>没有规则成立时</translation>
    </message>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>dispatch when %1</source>
        <translation>分派：当 %1 时</translation>
    </message>
    <message>
        <source>variant %1</source>
        <translation>实现 %1</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message numerus="yes">
        <source>They replace %n rule(s) that it has for these cases.</source>
        <translation>
            <numerusform>它们替换这些测例现有的 %n 条规则。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rule(s) for other cases stay.</source>
        <translation>
            <numerusform>其他测例的 %n 条规则保持不变。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::RunBar</name>
    <message>
        <source>Variant</source>
        <translation>实现</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>The variant under work: its tunables are on the right</source>
        <translation>当前调优的实现：其可调参数显示在右侧</translation>
    </message>
    <message>
        <source>Where it runs</source>
        <translation>运行所用的设备</translation>
    </message>
    <message>
        <source>Why the next round is made; the log prints it</source>
        <translation>下一轮的修改原因；将写入日志</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1：%2 / %3</translation>
    </message>
    <message>
        <source>, %1 s left</source>
        <translation>，剩余 %1 s</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>%1 (builds only)</source>
        <translation>%1（仅编译）</translation>
    </message>
    <message>
        <source>%1 (not usable)</source>
        <translation>%1（不可用）</translation>
    </message>
    <message>
        <source>How the last round ended</source>
        <translation>上一轮的结果</translation>
    </message>
    <message>
        <source>≈ %1, noisy</source>
        <translation>≈ %1，噪声大</translation>
    </message>
    <message>
        <source>Speedup of the slowest case, %1</source>
        <translation>最慢测例 %1 的加速比</translation>
    </message>
    <message>
        <source>Round %1: %2</source>
        <translation>第 %1 轮：%2</translation>
    </message>
    <message>
        <source>%1 (no connection)</source>
        <translation>%1（无连接）</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::RunLogPanel</name>
    <message>
        <source>Run log</source>
        <translation>运行日志</translation>
    </message>
    <message>
        <source>What runs and builds report is listed here</source>
        <translation>运行和编译的信息显示在此处</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告和错误</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>What the log shows</source>
        <translation>日志显示的内容</translation>
    </message>
    <message>
        <source>Copy log</source>
        <translation>复制日志</translation>
    </message>
    <message>
        <source>Copy all lines that are shown</source>
        <translation>复制所有显示的行</translation>
    </message>
    <message>
        <source>Clear log</source>
        <translation>清空日志</translation>
    </message>
    <message>
        <source>Show only what comes from now on</source>
        <translation>只显示此后的条目</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ScalingSetup</name>
    <message>
        <source>Steps of one tensor</source>
        <translation>同一张量的各步</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose tensors or records</source>
        <translation>选择张量或记录</translation>
    </message>
    <message>
        <source>Tensors (.npy) or records of amax; they can be dropped here</source>
        <translation>张量（.npy）或 amax 记录；可拖放到此处</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>The files are one tensor at several steps, in their order: scales from the earlier ones meet the last</source>
        <translation>这些文件依次为同一张量的各步：用较早各步的缩放因子存储最后一步</translation>
    </message>
    <message>
        <source>Channels along axis</source>
        <translation>通道轴</translation>
    </message>
    <message>
        <source>Each place on it is a channel</source>
        <translation>该轴上的每个位置为一个通道</translation>
    </message>
    <message>
        <source>Groups along axis</source>
        <translation>分组轴</translation>
    </message>
    <message>
        <source>Neighbours on it share a scale: K of a product</source>
        <translation>该轴上相邻的元素共用缩放因子：即乘法的 K</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Sizes to try</source>
        <translation>要尝试的大小</translation>
    </message>
    <message>
        <source>Clip target</source>
        <translation>裁剪目标</translation>
    </message>
    <message>
        <source>The largest share of elements that may be clipped</source>
        <translation>允许裁剪的元素的最大比例</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑系数</translation>
    </message>
    <message>
        <source>Share of the old average of amax in the new one, for scales from earlier steps</source>
        <translation>新的 amax 平均值中旧值所占的份额，用于由较早各步得出的缩放因子</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>余量</translation>
    </message>
    <message>
        <source>Scales from earlier steps fit this times the average</source>
        <translation>由较早各步得出的缩放因子可容纳平均值的这一倍数</translation>
    </message>
    <message>
        <source>From 0, or from -1 at the end backwards</source>
        <translation>从 0 起，或从末尾的 -1 起倒数</translation>
    </message>
    <message>
        <source>Tensors or records of amax</source>
        <translation>张量或 amax 记录</translation>
    </message>
    <message>
        <source>Tensors and records (*.npy *.csv *.jsonl *.json *.txt);;All files (*)</source>
        <translation>张量和记录 (*.npy *.csv *.jsonl *.json *.txt);;所有文件 (*)</translation>
    </message>
    <message>
        <source>By range</source>
        <translation>按范围</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>E4M3 is more precise, E5M2 has more range</source>
        <translation>E4M3 精度更高，E5M2 范围更大</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ScalingWindow</name>
    <message>
        <source>Scales and their errors</source>
        <translation>缩放方式及其误差</translation>
    </message>
    <message>
        <source>Steps as delayed scales met them</source>
        <translation>延迟缩放下的各步</translation>
    </message>
    <message>
        <source>Errors over all layers</source>
        <translation>所有层的误差</translation>
    </message>
    <message>
        <source>Precision of each layer</source>
        <translation>每层的精度</translation>
    </message>
    <message>
        <source>FP8 scaling</source>
        <translation>FP8 缩放</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Scales</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>各步</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>各层</translation>
    </message>
    <message>
        <source>The chart shows the selected rows; without a selection all</source>
        <translation>图表显示所选的行；未选择时显示全部</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Only amax is known of it: give a tensor (.npy) to see errors</source>
        <translation>仅知其 amax：请给出张量（.npy）以查看误差</translation>
    </message>
    <message>
        <source>Save the scales</source>
        <translation>保存缩放方式</translation>
    </message>
    <message>
        <source>Markdown (*.md);;JSON (*.json)</source>
        <translation>Markdown (*.md);;JSON (*.json)</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>操作提示</translation>
    </message>
    <message>
        <source>No scales were found</source>
        <translation>未得出缩放因子</translation>
    </message>
    <message>
        <source>Which FP8 format and scales does a tensor need?</source>
        <translation>张量需要哪种 FP8 格式和缩放因子？</translation>
    </message>
    <message>
        <source>Choose tensors (.npy), or drop them here: the layers of a model, or one tensor at several steps. Each is stored in FP8 with one scale, with a scale for each channel and for each group, and the errors stand beside one another.</source>
        <translation>请选择张量（.npy），或将其拖放到此处：可为模型的各层，或同一张量的各步。每个张量分别以单一、逐通道和逐组的缩放因子存为 FP8，并列出各自的误差。</translation>
    </message>
    <message>
        <source>Files of recorded amax (CSV or JSON lines) show which steps delayed scales would have clipped; docs/SCALING.md says what they hold.</source>
        <translation>amax 记录文件（CSV 或 JSON 行）可显示延迟缩放会裁剪哪些步；其内容见 docs/SCALING.md。</translation>
    </message>
    <message>
        <source>Begin with a state…</source>
        <translation>从状态文件开始…</translation>
    </message>
    <message>
        <source>Keep the state…</source>
        <translation>保存状态…</translation>
    </message>
    <message>
        <source>A file that keeps the averages of earlier steps, as --state of the command writes it</source>
        <translation>保存较早各步平均值的文件，即命令的 --state 所写的文件</translation>
    </message>
    <message>
        <source>Write the averages with these steps to a file, for the steps that come</source>
        <translation>将含这些步的平均值写入文件，供后续的步使用</translation>
    </message>
    <message>
        <source>State of earlier steps</source>
        <translation>较早各步的状态</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Keep the state</source>
        <translation>保存状态</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ScatterView</name>
    <message>
        <source>All configurations</source>
        <translation>全部配置</translation>
    </message>
    <message>
        <source>Nothing is tried yet: each result appears here when it is known</source>
        <translation>尚无结果：每个结果得出后显示在这里</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>left the race</source>
        <translation>中途退出</translation>
    </message>
    <message>
        <source>sampled to the end</source>
        <translation>采样到底</translation>
    </message>
    <message>
        <source>Many points: of those at one place one is drawn</source>
        <translation>点数很多：同一位置只画一个</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::Session</name>
    <message>
        <source>Opened %1</source>
        <translation>已打开 %1</translation>
    </message>
    <message>
        <source>no project is open</source>
        <translation>没有打开的项目</translation>
    </message>
    <message>
        <source>Verify and bench: %1 on %2</source>
        <translation>验证并计时：%1，设备 %2</translation>
    </message>
    <message>
        <source>Verify: %1 on %2</source>
        <translation>验证：%1，设备 %2</translation>
    </message>
    <message>
        <source>round %1 cannot be read</source>
        <translation>无法读取第 %1 轮</translation>
    </message>
    <message>
        <source>the project has no variant `%1` any more</source>
        <translation>项目中已没有实现 `%1`</translation>
    </message>
    <message>
        <source>restore round %1</source>
        <translation>恢复第 %1 轮</translation>
    </message>
    <message>
        <source>Another program changed the project on disk: reloaded; undo goes back</source>
        <translation>其他程序修改了磁盘上的项目：已重新加载；可撤销</translation>
    </message>
    <message numerus="yes">
        <source>Compare %n variant(s) on %1</source>
        <translation>
            <numerusform>在 %1 上并列对比 %n 个实现</numerusform>
        </translation>
    </message>
    <message>
        <source>Compared %1 of %2 variants.</source>
        <translation>已对比 %2 个实现中的 %1 个。</translation>
    </message>
    <message>
        <source>Round %1: %2</source>
        <translation>第 %1 轮：%2</translation>
    </message>
    <message numerus="yes">
        <source>Verification after %n check(s) in %1 s: %2</source>
        <translation>
            <numerusform>验证（%n 项检查，用时 %1 s）：%2</numerusform>
        </translation>
    </message>
    <message>
        <source>Queued: %1 on %2</source>
        <translation>已排队：%1，设备 %2</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Where variants run</source>
        <translation>运行各实现的设备</translation>
    </message>
    <message>
        <source>the system&apos;s g++</source>
        <translation>系统的 g++</translation>
    </message>
    <message>
        <source>C++ compiler</source>
        <translation>C++ 编译器</translation>
    </message>
    <message>
        <source>A program on PATH or a path; empty for the system&apos;s</source>
        <translation>PATH 中的程序或完整路径；留空则使用系统编译器</translation>
    </message>
    <message>
        <source>on this machine</source>
        <translation>在本机</translation>
    </message>
    <message>
        <source>Worker command</source>
        <translation>worker 命令</translation>
    </message>
    <message>
        <source>Reaches the worker elsewhere, such as: ssh box kernelgen worker; empty for this machine</source>
        <translation>连接其他机器上的 worker，例如：ssh box kernelgen worker；留空则使用本机</translation>
    </message>
    <message>
        <source>Time limit of a call</source>
        <translation>单次调用的时限</translation>
    </message>
    <message>
        <source>A kernel that takes longer is killed: timed_out</source>
        <translation>超过此时限的内核将被终止：timed_out</translation>
    </message>
    <message>
        <source>New projects begin with</source>
        <translation>新建项目的初始设置</translation>
    </message>
    <message>
        <source>flushed before each sample</source>
        <translation>每次采样前刷新</translation>
    </message>
    <message>
        <source>warm</source>
        <translation>热</translation>
    </message>
    <message>
        <source>Caches</source>
        <translation>样本间缓存状态</translation>
    </message>
    <message>
        <source>Whether timing begins with cold caches</source>
        <translation>计时是否从冷缓存开始</translation>
    </message>
    <message>
        <source>Time budget of a case</source>
        <translation>每个测例的时间预算</translation>
    </message>
    <message>
        <source>Sampling goes on until the interval is within ±1 %, or this long</source>
        <translation>采样持续到置信区间在 ±1 % 以内，或达到此时长</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>System</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>System follows the desktop</source>
        <translation>“跟随系统”与桌面设置保持一致</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Of the window and of exported logs</source>
        <translation>界面和导出日志所用的语言</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>The interpreter that has PyTorch and Triton, such as a virtual environment&apos;s; empty for the system&apos;s</source>
        <translation>装有 PyTorch 和 Triton 的解释器，例如虚拟环境中的解释器；留空则使用系统的解释器</translation>
    </message>
    <message>
        <source>Goals of a kernel</source>
        <translation>内核的目标</translation>
    </message>
    <message>
        <source>%1 above</source>
        <translation>%1高于</translation>
    </message>
    <message>
        <source>The goals were not saved: %1</source>
        <translation>目标未保存：%1</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ShareBar</name>
    <message>
        <source>Shares of the whole</source>
        <translation>整体中的占比</translation>
    </message>
    <message>
        <source>Between the calls</source>
        <translation>调用之间</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::SideBar</name>
    <message>
        <source>Line numbers</source>
        <translation>行号</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::SourceEditor</name>
    <message>
        <source>Source %1</source>
        <translation>源代码 %1</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>全选(&amp;A)</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::SourceTabs</name>
    <message>
        <source>%1 is built of it</source>
        <translation>用于构建 %1</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>源代码</translation>
    </message>
    <message>
        <source>Modified</source>
        <translation>已修改</translation>
    </message>
    <message>
        <source>This source cannot be read: %1</source>
        <translation>无法读取此源代码：%1</translation>
    </message>
    <message>
        <source>The variant %1 is %2 of the library %3: it has no source to edit.</source>
        <translation>实现 %1 是库 %3 的 %2，没有可编辑的源代码。</translation>
    </message>
    <message>
        <source>No variant has a source. Generate sources from the definition with Run &gt; Generate sources.</source>
        <translation>没有带源代码的实现。可通过“运行 &gt; 生成源代码”根据算子定义生成。</translation>
    </message>
    <message>
        <source>All sources</source>
        <translation>所有源文件</translation>
    </message>
    <message>
        <source>All sources of the project</source>
        <translation>项目的所有源文件</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::SpeedupView</name>
    <message>
        <source>Speedup across rounds</source>
        <translation>各轮加速比</translation>
    </message>
    <message>
        <source>No rounds yet: press F5 to verify and bench</source>
        <translation>尚无轮次：按 F5 验证并计时</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Speedup over the baseline</source>
        <translation>相对基准的加速比</translation>
    </message>
    <message>
        <source>target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>not run to its end</source>
        <translation>未运行完成</translation>
    </message>
    <message>
        <source>The legend names %1 of %2 cases</source>
        <translation>图例列出 %2 个测例中的 %1 个</translation>
    </message>
    <message>
        <source>Lines join rounds of the same device, baseline and environment only</source>
        <translation>仅连接设备、基准和环境均相同的轮次</translation>
    </message>
    <message>
        <source>Drawn by highest and lowest; zoom in to see intervals</source>
        <translation>按最高值和最低值绘制；放大可查看置信区间</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::StatusLine</name>
    <message>
        <source>What to do next</source>
        <translation>接下来可做的事</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::StoryCard</name>
    <message>
        <source>Round %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>where it began</source>
        <translation>起点</translation>
    </message>
    <message>
        <source>Because of %1</source>
        <translation>依据：%1</translation>
    </message>
    <message>
        <source>Expected: %1</source>
        <translation>预期：%1</translation>
    </message>
    <message>
        <source>What came of it: %1</source>
        <translation>结果：%1</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Show the best round</source>
        <translation>显示最佳轮次</translation>
    </message>
    <message>
        <source>What was done</source>
        <translation>各轮经过</translation>
    </message>
    <message>
        <source>Optimisation</source>
        <translation>自动优化</translation>
    </message>
    <message>
        <source>The round under work is not recorded; those before it stay (Ctrl+.)</source>
        <translation>正在进行的轮次不记录；之前的轮次保留（Ctrl+.）</translation>
    </message>
    <message>
        <source>Rounds of the optimisation</source>
        <translation>自动优化的各轮</translation>
    </message>
    <message numerus="yes">
        <source>The optimisation ended after %n round(s): %1</source>
        <translation>
            <numerusform>自动优化在 %n 轮后结束：%1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; best is round %2</source>
        <translation>%1；最佳为第 %2 轮</translation>
    </message>
    <message>
        <source>Optimising: first the variant is measured as it is</source>
        <translation>正在优化：先测量该实现的现状</translation>
    </message>
    <message>
        <source>Optimising</source>
        <translation>正在优化</translation>
    </message>
    <message>
        <source>Optimising, round %1 of at most %2: %3 (%4), %5</source>
        <translation>正在优化，第 %1 轮（最多 %2 轮）：%3（%4），%5</translation>
    </message>
    <message>
        <source>Not applied: %1</source>
        <translation>未应用：%1</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::StrategyActions</name>
    <message>
        <source>Something runs: wait for its end, or stop it (Ctrl+.)</source>
        <translation>正在运行：请等待结束，或将其停止（Ctrl+.）</translation>
    </message>
    <message>
        <source>Round %1 was made on %2: choose that device in the toolbar</source>
        <translation>第 %1 轮在 %2 上完成：请在工具栏中选择该设备</translation>
    </message>
    <message>
        <source>The project has no variant `%1` any more</source>
        <translation>项目中已没有实现 `%1`</translation>
    </message>
    <message>
        <source>The operator was changed since round %1: make a round of it as it is now (F5)</source>
        <translation>第 %1 轮之后算子已被修改：请先对当前内容运行一轮（F5）</translation>
    </message>
    <message>
        <source>It adds a variant to the project: save your changes first (Ctrl+S)</source>
        <translation>该策略会向项目添加一个实现：请先保存修改（Ctrl+S）</translation>
    </message>
    <message>
        <source>Apply to round %1: %2</source>
        <translation>应用于第 %1 轮：%2</translation>
    </message>
    <message>
        <source>No variant runs on %1</source>
        <translation>没有可在 %1 上运行的实现</translation>
    </message>
    <message>
        <source>Optimise: %1 on %2</source>
        <translation>自动优化：%1（%2）</translation>
    </message>
    <message>
        <source>The optimisation ended: %1</source>
        <translation>自动优化结束：%1</translation>
    </message>
    <message>
        <source>Not applied: %1</source>
        <translation>未应用：%1</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::TableField</name>
    <message>
        <source>%1: add a row</source>
        <translation>%1：添加一行</translation>
    </message>
    <message>
        <source>Add a row (Insert)</source>
        <translation>添加一行（Insert）</translation>
    </message>
    <message>
        <source>%1: remove the row</source>
        <translation>%1：删除该行</translation>
    </message>
    <message>
        <source>Remove the row (Delete)</source>
        <translation>删除该行（Delete）</translation>
    </message>
    <message>
        <source>%1: move the row up</source>
        <translation>%1：上移该行</translation>
    </message>
    <message>
        <source>Move the row up (Alt+Up)</source>
        <translation>上移该行（Alt+Up）</translation>
    </message>
    <message>
        <source>%1: move the row down</source>
        <translation>%1：下移该行</translation>
    </message>
    <message>
        <source>Move the row down (Alt+Down)</source>
        <translation>下移该行（Alt+Down）</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::Tour</name>
    <message>
        <source>Open an operator</source>
        <translation>打开一个算子</translation>
    </message>
    <message>
        <source>A project is an operator with its kernels and rounds. The tour opens a sample, as a copy of your own in %1: its definition is on the left, the source of its kernel in the middle.</source>
        <translation>项目由一个算子及其内核和轮次组成。导览会打开一个示例（%1 中您自己的副本）：左侧是定义，中间是内核源码。</translation>
    </message>
    <message>
        <source>Move a slider</source>
        <translation>移动滑块</translation>
    </message>
    <message>
        <source>The tunables are the kernel&apos;s tile sizes. Move one: the kernel is built in the background, and below the sliders stands what it takes.</source>
        <translation>可调参数是内核的分块大小。移动其中一个：内核在后台构建，滑块下方显示它占用的资源。</translation>
    </message>
    <message>
        <source>Nothing of this variant can be moved</source>
        <translation>该实现没有可移动的参数</translation>
    </message>
    <message>
        <source>Verify and time it</source>
        <translation>验证并计时</translation>
    </message>
    <message>
        <source>F5 checks the kernel against a float64 reference. Only if it is right, it is timed in turns with its baseline. However it ends, it is a new row among the rounds.</source>
        <translation>F5 先将内核与 float64 参考结果核对，只有正确时才与基准轮流计时。无论结果如何，都会成为轮次表中的新一行。</translation>
    </message>
    <message>
        <source>a round of the tour</source>
        <translation>导览的一轮</translation>
    </message>
    <message>
        <source>It runs…</source>
        <translation>正在运行…</translation>
    </message>
    <message>
        <source>See why it is so fast, or so slow</source>
        <translation>查看快慢的原因</translation>
    </message>
    <message>
        <source>The charts show the speedup with its interval, and the place on the roofline. Diagnosis (Ctrl+Shift+D) names the causes, the lines that they are about, and what mending them could gain.</source>
        <translation>图表显示加速比及其区间，以及在 Roofline 上的位置。诊断（Ctrl+Shift+D）指出原因、相关的行，以及改进可带来的收益。</translation>
    </message>
    <message>
        <source>Write it down</source>
        <translation>写出日志</translation>
    </message>
    <message>
        <source>Ctrl+E writes optimization_log.md with its charts. And then: Ctrl+Shift+F5 queues twenty configurations for the night, F7 finds the best one, Ctrl+Shift+P finds any action, F1 is the guide.</source>
        <translation>Ctrl+E 写出 optimization_log.md 及其图表。接下来：Ctrl+Shift+F5 可为夜间排入二十个配置，F7 找出最佳配置，Ctrl+Shift+P 查找任何操作，F1 是指南。</translation>
    </message>
    <message>
        <source>✓ Done</source>
        <translation>✓ 已完成</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::TourCard</name>
    <message>
        <source>Leave the tour</source>
        <translation>离开导览</translation>
    </message>
    <message>
        <source>Do it for me</source>
        <translation>代我操作</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>Esc; Help &gt; Tour takes it again</source>
        <translation>Esc；“帮助 &gt; 导览”可重新开始</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>Tour, step %1 of %2: %3</source>
        <translation>导览，第 %1 步（共 %2 步）：%3</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>完成</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::TrendView</name>
    <message>
        <source>Checks of the gate</source>
        <translation>性能门的检查</translation>
    </message>
    <message>
        <source>No check yet. Record a round once, then press Check after each change: the last 100 checks become a line here.</source>
        <translation>还没有检查。先记录一轮，然后在每次修改后按“检查”：最近 100 次检查会在这里连成一条线。</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Stored time / time now</source>
        <translation>保存的耗时 / 当前耗时</translation>
    </message>
    <message>
        <source>threshold</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>slower or less accurate</source>
        <translation>变慢或精度下降</translation>
    </message>
    <message>
        <source>Below 1 is slower than what is stored</source>
        <translation>小于 1 表示比保存的慢</translation>
    </message>
    <message>
        <source>Lines join checks against the same round in the same environment only</source>
        <translation>仅连接同一环境中对比同一轮次的检查</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::TriedModel</name>
    <message>
        <source>No.</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::TriedTable</name>
    <message>
        <source>Configurations that were tried</source>
        <translation>试过的配置</translation>
    </message>
    <message>
        <source>Nothing is tried yet: each result appears here when it is known</source>
        <translation>尚无结果：每个结果得出后显示在这里</translation>
    </message>
    <message>
        <source>Press Start: each configuration that is tried becomes a row here</source>
        <translation>点“开始”：每个试过的配置在此成为一行</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::TunableRow</name>
    <message>
        <source>%1 slider</source>
        <translation>%1 滑块</translation>
    </message>
    <message>
        <source>%1 can be %2</source>
        <translation>%1 可取 %2</translation>
    </message>
    <message>
        <source>best %1</source>
        <translation>最佳 %1</translation>
    </message>
    <message>
        <source>%1 is not allowed: the nearest is %2</source>
        <translation>不允许 %1：最接近的可选值为 %2</translation>
    </message>
    <message>
        <source>%1 takes part in a tuning</source>
        <translation>%1 参与调优</translation>
    </message>
    <message>
        <source>Whether %1 takes part in a tuning; otherwise it stays at its slider&apos;s value</source>
        <translation>%1 是否参与调优；不参与时保持滑块的值</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::TunablesPanel</name>
    <message>
        <source>Restriction that does not hold</source>
        <translation>未满足的限制条件</translation>
    </message>
    <message>
        <source>Configurations by case</source>
        <translation>按测例的配置</translation>
    </message>
    <message>
        <source>Where %1: %2</source>
        <translation>当 %1 时：%2</translation>
    </message>
    <message>
        <source>Where %1: variant %2</source>
        <translation>当 %1 时：实现 %2</translation>
    </message>
    <message>
        <source>Rules under &quot;configurations&quot; and &quot;dispatch&quot; in project.json; the first of each that holds on a case counts there. A run in this window is of the chosen variant</source>
        <translation>project.json 中 “configurations” 和 “dispatch” 下的规则；在一个测例上各取第一条成立的。在此窗口中运行的是所选的实现</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Take the values of the best round on this device</source>
        <translation>采用此设备上最佳轮次的值</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Back to the values that are saved</source>
        <translation>恢复为已保存的值</translation>
    </message>
    <message>
        <source>Open a project to tune its variants.</source>
        <translation>打开项目以调优其各实现。</translation>
    </message>
    <message>
        <source>No variant of this project runs on %1. Choose another device above, or write one with Run &gt; Generate sources.</source>
        <translation>此项目没有可在 %1 上运行的实现。请在上方另选设备，或通过“运行 &gt; 生成源代码”生成。</translation>
    </message>
    <message>
        <source>%1 is a primitive of the library %2: there is nothing to tune. Choose another variant above.</source>
        <translation>%1 是库 %2 的原语，没有可调参数。请在上方另选一个实现。</translation>
    </message>
    <message>
        <source>%1 has no tunables. Give it some under &quot;tunables&quot; in project.json, or choose another variant above.</source>
        <translation>%1 没有可调参数。请在 project.json 的 &quot;tunables&quot; 中添加，或在上方另选一个实现。</translation>
    </message>
    <message>
        <source>%1. A run would be recorded as restricted.</source>
        <translation>%1。若运行，将记录为 restricted。</translation>
    </message>
    <message>
        <source>reset tunables</source>
        <translation>重置参数</translation>
    </message>
    <message>
        <source>take the tunables of round %1</source>
        <translation>采用第 %1 轮的参数</translation>
    </message>
    <message>
        <source>Tunables in the source</source>
        <translation>源代码中的可调参数</translation>
    </message>
    <message>
        <source>The source says %1. A run takes what stands here. &lt;a href=&quot;take&quot;&gt;Take from the source&lt;/a&gt; · &lt;a href=&quot;write&quot;&gt;Write into the source&lt;/a&gt;</source>
        <translation>源代码中为 %1。运行时以此处的值为准。&lt;a href=&quot;take&quot;&gt;采用源代码的值&lt;/a&gt; · &lt;a href=&quot;write&quot;&gt;写入源代码&lt;/a&gt;</translation>
    </message>
    <message>
        <source>take the tunables of the source</source>
        <translation>采用源代码中的可调参数</translation>
    </message>
    <message>
        <source>write the tunables into the source</source>
        <translation>将可调参数写入源代码</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::TuningActions</name>
    <message>
        <source>The source was edited since the tuning began: undo that, or start another</source>
        <translation>调优开始后源代码被修改：请撤销修改，或另外开始一次</translation>
    </message>
    <message>
        <source>Tuning goes on: %1 on %2</source>
        <translation>继续调优：%1（%2）</translation>
    </message>
    <message>
        <source>Tune: %1 on %2</source>
        <translation>调优：%1（%2）</translation>
    </message>
    <message>
        <source>Tuning: %1</source>
        <translation>调优：%1</translation>
    </message>
    <message>
        <source>Tuning %1, %2: %3. %4</source>
        <translation>调优 %1，%2：%3。%4</translation>
    </message>
    <message>
        <source>Left out for want of time: %1</source>
        <translation>因时间不足而省略：%1</translation>
    </message>
    <message>
        <source>The tuning was paused: Continue goes on with it</source>
        <translation>调优已暂停：点“继续”接着进行</translation>
    </message>
    <message>
        <source>adopt from tuning %1</source>
        <translation>采用调优 %1 的配置</translation>
    </message>
    <message>
        <source>%1 has rules for several cases, which its source states too: change them in project.json</source>
        <translation>%1 按测例有多条规则，其源码中也写有这些规则：请在 project.json 中修改</translation>
    </message>
    <message>
        <source>the project has no variant `%1` any more</source>
        <translation>项目中已没有实现 `%1`</translation>
    </message>
    <message>
        <source>Adopted from tuning %1: %2</source>
        <translation>采用调优 %1 的配置：%2</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::TuningCharts</name>
    <message>
        <source>Charts of the tuning</source>
        <translation>调优图表</translation>
    </message>
    <message>
        <source>Best so far</source>
        <translation>目前最优</translation>
    </message>
    <message>
        <source>All configurations</source>
        <translation>全部配置</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>热图</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>平行坐标</translation>
    </message>
    <message>
        <source>Importance</source>
        <translation>重要性</translation>
    </message>
    <message>
        <source>What the horizontal axis shows</source>
        <translation>横轴显示什么</translation>
    </message>
    <message>
        <source>Over</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>The tunable from left to right</source>
        <translation>自左向右的参数</translation>
    </message>
    <message>
        <source>The tunable from bottom to top</source>
        <translation>自下而上的参数</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Pareto</source>
        <translation>帕累托前沿</translation>
    </message>
    <message>
        <source>What the time is weighed against</source>
        <translation>与时间权衡的另一项</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>能耗</translation>
    </message>
    <message>
        <source>Time against</source>
        <translation>时间与</translation>
    </message>
    <message>
        <source>Pruned</source>
        <translation>剪除</translation>
    </message>
    <message>
        <source>Configurations that are never tried, and why</source>
        <translation>不予尝试的配置及其原因</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::TuningChoices</name>
    <message>
        <source>tune %1=%2 too</source>
        <translation>让 %1=%2 参与调优</translation>
    </message>
    <message>
        <source>tune without %1=%2</source>
        <translation>调优时不用 %1=%2</translation>
    </message>
    <message>
        <source>tune %1 too</source>
        <translation>让 %1 参与调优</translation>
    </message>
    <message>
        <source>tune without %1</source>
        <translation>调优时固定 %1</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::TuningPanel</name>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Adopt</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>Adopt no. %1</source>
        <translation>采用第 %1 个</translation>
    </message>
    <message>
        <source>Tuning that is shown</source>
        <translation>显示的调优</translation>
    </message>
    <message>
        <source>The project&apos;s tunings</source>
        <translation>项目的各次调优</translation>
    </message>
    <message>
        <source>How the tuning stands</source>
        <translation>调优进展</translation>
    </message>
    <message>
        <source>take from tuning %1</source>
        <translation>取自调优 %1</translation>
    </message>
    <message>
        <source>%1 has no tunables</source>
        <translation>%1 没有可调参数</translation>
    </message>
    <message>
        <source>Find the best configuration (F7)</source>
        <translation>寻找最优配置 (F7)</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Stop for now; Continue goes on, also after the window was closed (Shift+F7)</source>
        <translation>暂时停止；点“继续”接着进行，关闭窗口之后也可以 (Shift+F7)</translation>
    </message>
    <message>
        <source>Go on with the last tuning, with its own options (Shift+F7)</source>
        <translation>按原有选项继续上一次调优 (Shift+F7)</translation>
    </message>
    <message>
        <source>Search no further: the best so far and the present configuration decide now (Ctrl+F7)</source>
        <translation>不再搜索：立即在目前最优与当前配置之间裁定 (Ctrl+F7)</translation>
    </message>
    <message>
        <source>There is no result yet, or the chosen one failed</source>
        <translation>尚无结果，或所选配置失败</translation>
    </message>
    <message>
        <source>Make %1 the project&apos;s, and save it</source>
        <translation>将 %1 设为项目的配置并保存</translation>
    </message>
    <message>
        <source>Tuning %1</source>
        <translation>调优 %1</translation>
    </message>
    <message>
        <source>Rules…</source>
        <translation>规则…</translation>
    </message>
    <message>
        <source>The rules by case that this tuning and those of its command propose</source>
        <translation>此次调优及同一命令的各次调优所建议的按测例规则</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Show budget, strategy, objective and case of the next tuning</source>
        <translation>显示下一次调优的预算、策略、目标和测例</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::TuningSetup</name>
    <message>
        <source>Budget</source>
        <translation>预算</translation>
    </message>
    <message>
        <source>Time for all cases together, such as 90s, 5m or 1h; the final takes what it needs of it</source>
        <translation>全部测例合计的时间，如 90s、5m 或 1h；其中包括决赛所需</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>How the next configurations are chosen</source>
        <translation>如何选择下一批配置</translation>
    </message>
    <message>
        <source>Learns from times and failures what makes a configuration fast (the default)</source>
        <translation>从时间与失败中学习哪些配置快（默认）</translation>
    </message>
    <message>
        <source>Every configuration, in the space&apos;s order</source>
        <translation>全部配置，按空间顺序</translation>
    </message>
    <message>
        <source>Every configuration, in random order</source>
        <translation>全部配置，随机顺序</translation>
    </message>
    <message>
        <source>A coarse grid, then the neighbours of its best fifth</source>
        <translation>先试粗网格，再试其中最优五分之一的相邻配置</translation>
    </message>
    <message>
        <source>Climbs from a random configuration to better neighbours</source>
        <translation>从随机配置出发，逐步走向更优的相邻配置</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>What becomes small: time, memory, or a weighting such as &quot;0.7 time 0.3 memory&quot;; energy too, where a GPU tells it</source>
        <translation>要减小什么：time、memory，或加权，如 &quot;0.7 time 0.3 memory&quot;；GPU 报告能耗时也可用 energy</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>测例</translation>
    </message>
    <message>
        <source>What is tuned: one case, or one after the other</source>
        <translation>调优哪个测例：一个，或逐个全部</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>%L1 in all</source>
        <translation>共 %L1 种</translation>
    </message>
    <message>
        <source>Combinations of the values that take part, before restrictions. The check boxes at the sliders on the right choose tunables and values.</source>
        <translation>参与调优的取值的组合数，未计限制条件。用右侧滑块旁的复选框选择参数和取值。</translation>
    </message>
    <message>
        <source>The budget is no time: write such as 90s, 5m or 1h</source>
        <translation>预算不是时间：请写成 90s、5m 或 1h 等形式</translation>
    </message>
    <message>
        <source>Objective: %1</source>
        <translation>目标：%1</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>最多</translation>
    </message>
    <message>
        <source>The most configurations of a case that are tried</source>
        <translation>每个测例最多尝试的配置数</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Of the strategy&apos;s random choices: with the same results, the same seed tries the same</source>
        <translation>策略随机选择所用的种子：结果相同时，相同的种子尝试相同的配置</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::TuningTable</name>
    <message>
        <source>Copy all</source>
        <translation>全部复制</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::TuningView</name>
    <message>
        <source>No result yet: Start finds the best configuration; while a tuning runs, its first result appears here</source>
        <translation>尚无结果：点“开始”寻找最优配置；调优运行时第一个结果显示在这里</translation>
    </message>
    <message>
        <source>Nothing is tried yet: each result appears here when it is known</source>
        <translation>尚无结果：每个结果得出后显示在这里</translation>
    </message>
    <message>
        <source>No configuration has succeeded yet: the table says why</source>
        <translation>还没有成功的配置：原因见表格</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::ValueChecks</name>
    <message>
        <source>%1=%2 takes part in a tuning</source>
        <translation>%1=%2 参与调优</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::WelcomePage</name>
    <message>
        <source>Open a project, move its tile sliders, press F5: the kernel is built, verified against a float64 reference, timed against its baseline and placed on the roofline. Ctrl+E writes the log.</source>
        <translation>打开项目，拖动块大小滑块，按 F5：内核将被编译，与 float64 参考值对比验证，与基准对比计时，并标注在 Roofline 图上。按 Ctrl+E 写出优化日志。</translation>
    </message>
    <message>
        <source>Open a project…</source>
        <translation>打开项目…</translation>
    </message>
    <message>
        <source>New project…</source>
        <translation>新建项目…</translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation>最近的项目</translation>
    </message>
    <message>
        <source>Samples, each opened as a copy of your own in %1</source>
        <translation>示例（打开时复制到 %1，成为您自己的项目）</translation>
    </message>
    <message>
        <source>Operators of a model…</source>
        <translation>模型的算子…</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>Five steps in the window itself: a minute, with a real kernel</source>
        <translation>在窗口中分五步进行：一分钟，用真实的内核</translation>
    </message>
</context>
<context>
    <name>kernelgen::studio::WhatifWindow</name>
    <message>
        <source>What if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>The other device has</source>
        <translation>另一设备具有</translation>
    </message>
    <message>
        <source>Cases on the other device</source>
        <translation>另一设备上的测例</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>测例</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>There</source>
        <translation>另一设备</translation>
    </message>
    <message>
        <source>Between</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>Times as long</source>
        <translation>耗时倍数</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>Tuning could keep</source>
        <translation>调优可保留</translation>
    </message>
    <message>
        <source>The most of the present speed that a kernel tuned for that device can have, by its roofline</source>
        <translation>按其Roofline，为该设备调优的内核最多能达到当前速度的多少</translation>
    </message>
    <message>
        <source>The interval covers three ways in which the parts of a call go together, what the model misses, and what two runs differ by</source>
        <translation>该区间涵盖一次调用各部分的三种组合方式、模型的误差以及两次运行之间的差异</translation>
    </message>
    <message>
        <source>Open a project: what would its kernel take on another device?</source>
        <translation>请打开一个项目：它的内核在另一设备上需要多长时间？</translation>
    </message>
    <message>
        <source>Round %1: what would %2 take on a device that has another share of what %3 has? Nothing runs.</source>
        <translation>第 %1 轮：如果另一设备各项资源与 %3 的不同，%2 需要多长时间？不会运行任何内容。</translation>
    </message>
    <message>
        <source>What would a round&apos;s kernel take on another device?</source>
        <translation>某一轮的内核在另一设备上需要多长时间？</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Of what the round&apos;s device has; 100 % is as much</source>
        <translation>相对该轮设备所有量的份额；100 % 表示相同</translation>
    </message>
    <message>
        <source>Of a GPU only the bandwidth is predicted here</source>
        <translation>对于 GPU，此处只预测带宽的影响</translation>
    </message>
    <message>
        <source>(%1 of %2)</source>
        <translation>（%2 个中的 %1 个）</translation>
    </message>
</context>
</TS>
