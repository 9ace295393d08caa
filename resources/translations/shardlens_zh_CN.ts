<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>QObject</name>
    <message>
        <source>Save the picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Pictures for print (*.png);;Vectors (*.svg)</source>
        <translation>高清图片 (*.png);;矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>Copy %1 as text</source>
        <translation>将“%1”复制为文本</translation>
    </message>
    <message>
        <source>Copy %1 as CSV</source>
        <translation>将“%1”复制为 CSV</translation>
    </message>
    <message>
        <source>Copy picture of this panel</source>
        <translation>复制此面板的图片</translation>
    </message>
    <message>
        <source>Save picture…</source>
        <translation>保存图片…</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>已保存 %1。</translation>
    </message>
    <message>
        <source>Copied the picture of %1</source>
        <translation>已复制“%1”的图片</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Left</source>
        <translation>←</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>→</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>↑</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>↓</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Home</translation>
    </message>
    <message>
        <source>End</source>
        <translation>End</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
</context>
<context>
    <name>SeedModel</name>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>rank %1 worker %2</source>
        <translation>rank %1 worker %2</translation>
    </message>
</context>
<context>
    <name>capture</name>
    <message>
        <source>A rank waits for its loader</source>
        <translation>有 rank 在等待加载器</translation>
    </message>
    <message>
        <source>Several jobs ran at the same time</source>
        <translation>多个作业同时运行</translation>
    </message>
    <message>
        <source>a loop</source>
        <translation>某个循环</translation>
    </message>
    <message>
        <source>choose one with --loader NAME</source>
        <translation>请用 --loader=NAME 选择一个</translation>
    </message>
    <message>
        <source>[%1, ... %2 in all]</source>
        <translation>[%1, ... 共 %2 个]</translation>
    </message>
    <message>
        <source>the plan has no such batch</source>
        <translation>计划中没有这样的 batch</translation>
    </message>
    <message>
        <source>the rule gives no such batch</source>
        <translation>规则不给出这样的 batch</translation>
    </message>
    <message>
        <source>the plan has %1</source>
        <translation>计划为 %1</translation>
    </message>
    <message>
        <source>the rule gives %1</source>
        <translation>规则给出 %1</translation>
    </message>
    <message>
        <source>rank %1, no epoch, step %2</source>
        <translation>rank %1，不属于任何 epoch，step %2</translation>
    </message>
    <message>
        <source>rank %1, epoch %2, step %3</source>
        <translation>rank %1，epoch %2，step %3</translation>
    </message>
    <message>
        <source>the job read %1</source>
        <translation>作业读取了 %1</translation>
    </message>
    <message>
        <source>the job has no such batch</source>
        <translation>作业没有这样的 batch</translation>
    </message>
    <message>
        <source>%1: %2, %3.</source>
        <translation>%1：%2，%3。</translation>
    </message>
    <message>
        <source>%1 (%2 %3)</source>
        <translation>%1（%2 %3）</translation>
    </message>
    <message>
        <source> Yet all ranks read their last pass to its end, as they do under DDP&apos;s Join.</source>
        <translation>但所有 rank 都读完了各自的最后一遍，如同使用 DDP 的 Join 时那样。</translation>
    </message>
    <message>
        <source> A collective in step %1 would wait for ever, or meet one of another pass.</source>
        <translation>step %1 中的集合通信会永远等待，或与另一遍中的集合通信相遇。</translation>
    </message>
    <message>
        <source>all %1 epochs have the order of epoch %2, as far as they were read</source>
        <translation>就已读取的部分而言，全部 %1 个 epoch 的顺序都与 epoch %2 相同</translation>
    </message>
    <message>
        <source>all %1 epochs have the order of epoch %2</source>
        <translation>全部 %1 个 epoch 的顺序都与 epoch %2 相同</translation>
    </message>
    <message>
        <source>%1 was not written by a probe, or was written by a probe of another version.</source>
        <translation>%1 不是探针写出的，或由另一版本的探针写出。</translation>
    </message>
    <message>
        <source>%1 was written by a probe and is incomplete in this file.</source>
        <translation>探针写出的 %1 在此文件中不完整。</translation>
    </message>
    <message>
        <source>no DataLoader was observed in this recording.</source>
        <translation>此记录中没有观察到 DataLoader。</translation>
    </message>
    <message>
        <source>either no DataLoader drew a batch before the recording ended, or the processes had no probe: `shardlens run -- COMMAND` puts it into every Python process, unless python -I or -E, a container or another user keeps it out</source>
        <translation>或者在记录结束前没有 DataLoader 取出过 batch，或者进程中没有探针：`shardlens run -- COMMAND` 会把它放入每个 Python 进程，除非 python -I 或 -E、容器或其他用户使它无法加载</translation>
    </message>
    <message>
        <source>the job has no loader named %1: it has %2.</source>
        <translation>作业没有名为 %1 的加载器：它有 %2。</translation>
    </message>
    <message>
        <source>no training loader of the job reads a dataset of %1: it has %2.</source>
        <translation>作业的训练中没有加载器读取 %1的数据集：它有 %2。</translation>
    </message>
    <message>
        <source>the job has several loaders: %1.</source>
        <translation>作业有多个加载器：%1。</translation>
    </message>
    <message>
        <source>%1 (%2, %3)</source>
        <translation>%1（%2，%3）</translation>
    </message>
    <message>
        <source>%1 (%2, its loader %3, %4)</source>
        <translation>%1（%2，其中第 %3 个加载器，%4）</translation>
    </message>
    <message>
        <source>%1: %2 are damaged; what they held is unknown.</source>
        <translation>%1：%2已损坏；其中的内容未知。</translation>
    </message>
    <message>
        <source>%1: the probe failed once, first in %2. The job went on.</source>
        <translation>%1：探针失败了 1 次，首次在 %2。作业继续运行。</translation>
    </message>
    <message>
        <source>%1: the probe failed %2 times, first in %3. The job went on.</source>
        <translation>%1：探针失败了 %2 次，首次在 %3。作业继续运行。</translation>
    </message>
    <message>
        <source>%1: later loaders, passes and batches are not recorded; SHARDLENS_PROBE_BYTES raises the limit.</source>
        <translation>%1：此后的加载器、各遍读取和 batch 都没有记录；可用 SHARDLENS_PROBE_BYTES 提高上限。</translation>
    </message>
    <message>
        <source> The other reads the same batches: each of these samples is read more than once.</source>
        <translation>另一个作业读取相同的 batch：这些样本每个都被多次读取。</translation>
    </message>
    <message>
        <source> Each job takes its own ranks for the whole world.</source>
        <translation>每个作业都把自己的 rank 当作整个 world。</translation>
    </message>
    <message>
        <source> Start the ranks once: with one launcher, or with one torchrun a node.</source>
        <translation>请只启动一次这些 rank：使用一个启动器，或每个节点一个 torchrun。</translation>
    </message>
    <message>
        <source>%1 processes read such a loader without reporting a rank, so each is shown as a separate program: this one is process %2 on %3.</source>
        <translation>有 %1 个进程读取这样的加载器且没有说明自己的 rank，因此各自显示为单独的程序：这一个是 %3 上的进程 %2。</translation>
    </message>
    <message>
        <source>It is not known how the ranks are spread over nodes; the spec has one node.</source>
        <translation>各 rank 在节点上如何分布未知；配置中写为一个节点。</translation>
    </message>
    <message>
        <source>rank %1: %2</source>
        <translation>rank %1：%2 次</translation>
    </message>
    <message>
        <source>Some ranks took a single batch out of this loader, without a backward pass, more often than others (%1). Those looks are not counted as passes. If the sampler&apos;s generator continues from pass to pass, a look changes what its rank reads in later passes.</source>
        <translation>有些 rank 比其他 rank 更多次地从此加载器只取一个 batch，且没有反向传播（%1）。这样的查看不算作一遍。如果采样器从一个持续使用的生成器抽取，查看会改变该 rank 在之后各遍中读取的内容。</translation>
    </message>
    <message>
        <source>Each rank took a single batch out of this loader, without a backward pass, and read it in a later pass. That look is not counted as a pass.</source>
        <translation>每个 rank 都从此加载器只取过一个 batch，没有反向传播，之后才完整读取。那次查看不算作一遍。</translation>
    </message>
    <message>
        <source>Each rank took a single batch out of this loader %1 times, without a backward pass, and read it in a later pass. Those looks are not counted as passes.</source>
        <translation>每个 rank 都有 %1 次从此加载器只取一个 batch，没有反向传播，之后才完整读取。这些查看不算作一遍。</translation>
    </message>
    <message>
        <source>recorded batches of the sampler %1</source>
        <translation>按记录的 batch（采样器 %1）</translation>
    </message>
    <message>
        <source>The loader shows no sampler.</source>
        <translation>加载器没有给出采样器。</translation>
    </message>
    <message>
        <source>The sampler %1 is not known to ShardLens.</source>
        <translation>ShardLens 不认识采样器 %1。</translation>
    </message>
    <message>
        <source>The dataset %1 is iterable: it has no sampler, and its loader has no indices. It is not known which samples a rank reads.</source>
        <translation>数据集 %1 是可迭代的：它没有采样器，其加载器也没有索引。一个 rank 读取哪些样本未知。</translation>
    </message>
    <message>
        <source>The dataset %1 has no len().</source>
        <translation>数据集 %1 没有 len()。</translation>
    </message>
    <message>
        <source>Ranks %1 and %2 differ in %3, which one spec cannot express.</source>
        <translation>rank %1 和 %2 的 %3 不同，一份配置无法表达。</translation>
    </message>
    <message>
        <source>The probe could not read %1 of rank %2.</source>
        <translation>探针无法读取 rank %2 的 %1。</translation>
    </message>
    <message>
        <source>The value that ranks pass as the sampler&apos;s rank is neither rank, local_rank, node nor one common number.</source>
        <translation>各 rank 作为采样器的 rank 传入的值既不是 rank、local_rank、node，也不是同一个数。</translation>
    </message>
    <message>
        <source>The sampler was given a num_replicas or a rank other than the job&apos;s own, which its rule does not model.</source>
        <translation>传给采样器的 num_replicas 或 rank 与作业自身的不同，其规则没有对此建模。</translation>
    </message>
    <message>
        <source>%1 is %2, but its rule has %3.</source>
        <translation>%1 为 %2，而其规则中为 %3。</translation>
    </message>
    <message>
        <source>the sampler&apos;s class</source>
        <translation>采样器的类</translation>
    </message>
    <message>
        <source>the class of %1</source>
        <translation>%1 的类</translation>
    </message>
    <message>
        <source>the seed of %1</source>
        <translation>%1 的种子</translation>
    </message>
    <message>
        <source>The epoch of the saved state</source>
        <translation>所保存状态的 epoch</translation>
    </message>
    <message>
        <source>Rank 0 reads this loader for all ranks and sends each its part (accelerate.DataLoaderDispatcher). The parts that it sent are not recorded.</source>
        <translation>rank 0 为所有 rank 读取此加载器，并把各自的部分发给每个 rank（accelerate.DataLoaderDispatcher）。没有记录它发出的各部分。</translation>
    </message>
    <message>
        <source>The generator&apos;s seed is above 2^63 - 1, which a spec cannot hold.</source>
        <translation>生成器的种子大于 2^63 - 1，配置无法保存。</translation>
    </message>
    <message>
        <source>The captured values cannot be planned: %1</source>
        <translation>无法用捕获的值生成计划：%1</translation>
    </message>
    <message>
        <source>The job ran torch %1; the nearest behaviour that a spec can name is framework.torch %2.</source>
        <translation>作业使用 torch %1；framework.torch %2 是配置所能写出的最接近的行为。</translation>
    </message>
    <message>
        <source>seeds.base is torch.initial_seed() when the loop began; it is not known whether the script chose it.</source>
        <translation>seeds.base 是循环开始时的 torch.initial_seed()；它是否由脚本选定未知。</translation>
    </message>
    <message>
        <source>The torch seeds of the ranks follow no rule that a spec has: %1.</source>
        <translation>各 rank 的 torch 种子不符合配置中的任何规则：%1。</translation>
    </message>
    <message>
        <source>Not every rank has the same worker_init_fn: loader.worker_seeds is unknown.</source>
        <translation>并非每个 rank 的 worker_init_fn 都相同：loader.worker_seeds 为 unknown。</translation>
    </message>
    <message>
        <source>The worker_init_fn %1 may seed the workers: loader.worker_seeds is unknown.</source>
        <translation>worker_init_fn %1 可能为 worker 设置种子：loader.worker_seeds 为 unknown。</translation>
    </message>
    <message>
        <source>Something had drawn from the sampler&apos;s generator before the first pass.</source>
        <translation>在第一遍之前，已有代码从采样器的生成器抽取过。</translation>
    </message>
    <message>
        <source>The loader that %1 reads, on %3, captured by ShardLens from a run.</source>
        <translation>%1 所读取的加载器，在 %3 上，由 ShardLens 从一次运行中捕获。</translation>
    </message>
    <message>
        <source>The loader that %1 reads (in %2), on %3, captured by ShardLens from a run.</source>
        <translation>%1 所读取的加载器（在 %2 中），在 %3 上，由 ShardLens 从一次运行中捕获。</translation>
    </message>
    <message>
        <source>Loader %4 of %5 that %1 reads, on %3, captured by ShardLens from a run.</source>
        <translation>%1 所读取的 %5 个加载器中的第 %4 个，在 %3 上，由 ShardLens 从一次运行中捕获。</translation>
    </message>
    <message>
        <source>Loader %4 of %5 that %1 reads (in %2), on %3, captured by ShardLens from a run.</source>
        <translation>%1 所读取的 %5 个加载器中的第 %4 个（在 %2 中），在 %3 上，由 ShardLens 从一次运行中捕获。</translation>
    </message>
    <message>
        <source>The batch of %1 on %2 is as %3 computes it.</source>
        <translation>%2 上 %1 的那个 batch 与 %3 计算的一致。</translation>
    </message>
    <message>
        <source>All %1 batches of %2 on %3 are as %4 computes them.</source>
        <translation>%3 上 %2 的全部 %1 个 batch 都与 %4 计算的一致。</translation>
    </message>
    <message>
        <source>%1 of %2 batches of %3 on %4 are as %5 computes them. First difference: %6</source>
        <translation>%4 上 %3 的 %2 个 batch 中有 %1 个与 %5 计算的一致。第一处差异：%6</translation>
    </message>
    <message>
        <source>1 batch on %1 is recorded.</source>
        <translation>记录了 %1 上的 1 个 batch。</translation>
    </message>
    <message>
        <source>%1 batches on %2 are recorded.</source>
        <translation>记录了 %2 上的 %1 个 batch。</translation>
    </message>
    <message>
        <source>Every batch is what %1 gives for the epoch that its sampler reports. These epochs do not follow one another (rank %2: %3), as those of a spec do on every rank.</source>
        <translation>每个 batch 都是 %1 按其采样器所给的 epoch 得出的。这些 epoch 不是依次递增的（rank %2：%3），而配置要求每个 rank 上都如此。</translation>
    </message>
    <message>
        <source>The batch of %1 on %2 is as designed.</source>
        <translation>%2 上 %1 的那个 batch 与设计一致。</translation>
    </message>
    <message>
        <source>All %1 batches of %2 on %3 are as designed.</source>
        <translation>%3 上 %2 的全部 %1 个 batch 都与设计一致。</translation>
    </message>
    <message>
        <source>Compared with the design: %1.</source>
        <translation>与设计比较的是：%1。</translation>
    </message>
    <message>
        <source>Compared with the design: loader %1.</source>
        <translation>与设计比较的是：加载器 %1。</translation>
    </message>
    <message>
        <source> Not compared: %1.</source>
        <translation>未比较：%1。</translation>
    </message>
    <message>
        <source>First difference: %1</source>
        <translation>第一处差异：%1</translation>
    </message>
    <message>
        <source>%1 is %2, not %3</source>
        <translation>%1 为 %2，而不是 %3</translation>
    </message>
    <message>
        <source>set_epoch was never called: %1.</source>
        <translation>从未调用 set_epoch：%1。</translation>
    </message>
    <message>
        <source>set_epoch was never called on %1: %2.</source>
        <translation>在 %1 上从未调用 set_epoch：%2。</translation>
    </message>
    <message>
        <source> Call sampler.set_epoch(epoch) before each epoch.</source>
        <translation>请在每个 epoch 之前调用 sampler.set_epoch(epoch)。</translation>
    </message>
    <message>
        <source>pass %1 has the first batches of pass %2 again</source>
        <translation>第 %1 遍重复了第 %2 遍开头的 batch</translation>
    </message>
    <message>
        <source>pass %1 has the batches of pass %2 again</source>
        <translation>第 %1 遍重复了第 %2 遍的 batch</translation>
    </message>
    <message>
        <source>so have %1 more</source>
        <translation>另有 %1 遍也是如此</translation>
    </message>
    <message>
        <source>On rank %1, %2. The sampler shuffles by the epoch that set_epoch sets: call sampler.set_epoch(epoch) before each epoch, with another number each time.</source>
        <translation>在 rank %1 上，%2。采样器按 set_epoch 给出的 epoch 打乱：请在每个 epoch 之前调用 sampler.set_epoch(epoch)，每次使用不同的数。</translation>
    </message>
    <message>
        <source>%1 reads epoch %2</source>
        <translation>%1 读取 epoch %2</translation>
    </message>
    <message>
        <source>%1 read epoch %2</source>
        <translation>%1 读取 epoch %2</translation>
    </message>
    <message>
        <source> Call sampler.set_epoch(epoch) with the number of the epoch.</source>
        <translation>请用 epoch 的编号调用 sampler.set_epoch(epoch)。</translation>
    </message>
    <message>
        <source>set_epoch was called before each epoch, and always with %1: %2.</source>
        <translation>每个 epoch 之前都调用了 set_epoch，但总是用 %1：%2。</translation>
    </message>
    <message>
        <source>The sampler&apos;s epoch stayed %1: %2.</source>
        <translation>采样器的 epoch 一直是 %1：%2。</translation>
    </message>
    <message>
        <source>set_epoch was called before each epoch on %1, and always with %2: %3.</source>
        <translation>在 %1 上，每个 epoch 之前都调用了 set_epoch，但总是用 %2：%3。</translation>
    </message>
    <message>
        <source>The sampler&apos;s epoch stayed %2 on %1: %3.</source>
        <translation>在 %1 上，采样器的 epoch 一直是 %2：%3。</translation>
    </message>
    <message>
        <source>%1 read the same batches</source>
        <translation>%1 读取了相同的 batch</translation>
    </message>
    <message>
        <source>%1, and so do %2</source>
        <translation>%1，%2 也是如此</translation>
    </message>
    <message>
        <source>%1, and so do others</source>
        <translation>%1，另外一些也是如此</translation>
    </message>
    <message>
        <source>In pass %1 of this loader, %2: every rank has a RandomSampler and torch seed %3. Divide the dataset with a DistributedSampler.</source>
        <translation>在此加载器的第 %1 遍中，%2：每个 rank 都有一个 RandomSampler，且 torch 种子都是 %3。请用 DistributedSampler 划分数据集。</translation>
    </message>
    <message>
        <source>In pass %1 of this loader, %2; in validation this may be intended.</source>
        <translation>在此加载器的第 %1 遍中，%2；在验证中这可能是有意的。</translation>
    </message>
    <message>
        <source>In pass %1 of this loader, %2.</source>
        <translation>在此加载器的第 %1 遍中，%2。</translation>
    </message>
    <message>
        <source>This is right if the ranks that read the same divide one copy of the model.</source>
        <translation>如果读取相同内容的 rank 共同承担一份模型，这是正确的。</translation>
    </message>
    <message>
        <source>world.groups is an assumption: groups of %1 ranks gave their samplers one and the same rank, so each group may divide one copy of the model. By which kind of parallelism is not recorded: neighbours are written as tensor, others as pipeline.</source>
        <translation>world.groups 是假设：每 %1 个 rank 一组，向采样器传入了同一个 rank，因此每组可能共同承担一份模型。使用哪种并行没有记录：相邻的写作 tensor，其余的写作 pipeline。</translation>
    </message>
    <message>
        <source>Ranks have unequal numbers of batches in pass %1: %2 %3, %4 %5.</source>
        <translation>第 %1 遍中各 rank 的 batch 数不同：%2 有 %3 个，%4 有 %5 个。</translation>
    </message>
    <message>
        <source>When they last reported, %1 had waited for more than a second for step %2 of pass %3 of this loader.</source>
        <translation>最后一次报告时，%1 等待此加载器第 %3 遍的 step %2 已超过一秒。</translation>
    </message>
    <message>
        <source>When it last reported, %1 had waited for more than a second for step %2 of pass %3 of this loader.</source>
        <translation>最后一次报告时，%1 等待此加载器第 %3 遍的 step %2 已超过一秒。</translation>
    </message>
    <message>
        <source>When they last reported, %1 had waited for more than a second for step %2 of pass %3 of this loader, on rank %4 samples %5.</source>
        <translation>最后一次报告时，%1 等待此加载器第 %3 遍的 step %2 已超过一秒，在 rank %4 上是样本 %5。</translation>
    </message>
    <message>
        <source>When it last reported, %1 had waited for more than a second for step %2 of pass %3 of this loader, samples %5.</source>
        <translation>最后一次报告时，%1 等待此加载器第 %3 遍的 step %2 已超过一秒，即样本 %5。</translation>
    </message>
    <message>
        <source> %1 had got its.</source>
        <translation>%1 已得到自己的 batch。</translation>
    </message>
    <message>
        <source> %1 had got theirs.</source>
        <translation>%1 已得到各自的 batch。</translation>
    </message>
    <message>
        <source>%1 had up to %2</source>
        <translation>%1 最多有 %2 个</translation>
    </message>
    <message>
        <source>%1 had %2</source>
        <translation>%1 有 %2 个</translation>
    </message>
    <message>
        <source>Ranks have unequal numbers of batches in pass %1: %2 left it after %3, and %4.</source>
        <translation>第 %1 遍中各 rank 的 batch 数不同：%2 在 %3 之后离开了这一遍，而 %4。</translation>
    </message>
    <message>
        <source>Ranks have unequal numbers of batches in pass %1: %2 ended after %3, and %4.</source>
        <translation>第 %1 遍中各 rank 的 batch 数不同：%2 在 %3 之后结束，而 %4。</translation>
    </message>
    <message>
        <source>Ranks read the same data</source>
        <translation>各 rank 读取了相同的数据</translation>
    </message>
    <message>
        <source>Workers read the same data</source>
        <translation>worker 读取了相同的数据</translation>
    </message>
    <message>
        <source>datasets of different classes</source>
        <translation>类不同的数据集</translation>
    </message>
    <message>
        <source>datasets of different lengths</source>
        <translation>长度不同的数据集</translation>
    </message>
    <message>
        <source>datasets that differ in their attribute %1</source>
        <translation>属性 %1 不同的数据集</translation>
    </message>
    <message>
        <source>Subsets with different indices, which are not all recorded</source>
        <translation>索引不同的 Subset，且索引没有全部记录</translation>
    </message>
    <message>
        <source>Subsets whose indices are not recorded</source>
        <translation>没有记录索引的 Subset</translation>
    </message>
    <message>
        <source>In its passes, rank %1 read %2: ids are positions in these, so equal ids need not be the same sample.</source>
        <translation>rank %1 在各遍中读取了%2：id 是其中的位置，相同的 id 不一定是同一个样本。</translation>
    </message>
    <message>
        <source>Ranks %1 and %2 read %3: ids are positions in these, so equal ids need not be the same sample.</source>
        <translation>rank %1 和 %2 读取了%3：id 是其中的位置，相同的 id 不一定是同一个样本。</translation>
    </message>
    <message>
        <source>Not all ranks and passes read the same Subset of %1 with %2: ids are those of that dataset.</source>
        <translation>并非所有 rank 和所有遍都读取 %1（%2）的同一个 Subset：id 是该数据集的 id。</translation>
    </message>
    <message>
        <source>The dataset is a Subset of %1 with %2: ids are positions in the Subset.</source>
        <translation>数据集是 %1（%2）的 Subset：id 是在 Subset 中的位置。</translation>
    </message>
    <message>
        <source>Equal ids are assumed to be the same sample: the ranks&apos; datasets have the same class and length. What they contain was not seen.</source>
        <translation>相同的 id 视为同一个样本：各 rank 的数据集的类和长度相同，其内容没有观察到。</translation>
    </message>
    <message>
        <source>Equal ids are assumed to be the same sample: the ranks&apos; datasets agree in class, length and what was seen of %1.</source>
        <translation>相同的 id 视为同一个样本：各 rank 的数据集在类、长度以及所观察到的 %1上都相同。</translation>
    </message>
    <message>
        <source>The loader hands out batches as soon as workers have them ready (in_order=False). They are shown as its sampler drew them; it is not known which of the queued ones the loop got.</source>
        <translation>加载器按 worker 准备好的先后分发 batch（in_order=False）：此处按采样器抽取的顺序显示，循环得到了排队中的哪些 batch 未知。</translation>
    </message>
    <message>
        <source>No file is written: a spec has one dataset, which all ranks read in all epochs.</source>
        <translation>不写文件：配置只有一个数据集，所有 rank 在所有 epoch 中都读取它。</translation>
    </message>
    <message>
        <source>Its sampler draws positions in Subsets, and these are not the same for all ranks and passes.</source>
        <translation>其采样器抽取的是 Subset 中的位置，而 Subset 并非对所有 rank 和所有遍都相同。</translation>
    </message>
    <message>
        <source>Epochs repeat</source>
        <translation>有 epoch 重复</translation>
    </message>
    <message>
        <source>Every epoch has the same order</source>
        <translation>每个 epoch 的顺序都相同</translation>
    </message>
    <message>
        <source>Ranks read different epochs</source>
        <translation>各 rank 读取了不同的 epoch</translation>
    </message>
    <message>
        <source>Ranks read the same batches</source>
        <translation>各 rank 读取了相同的 batch</translation>
    </message>
    <message>
        <source>Ranks have unequal numbers of batches</source>
        <translation>各 rank 的 batch 数不同</translation>
    </message>
    <message>
        <source> %1 got none.</source>
        <translation>%1 没有得到 batch。</translation>
    </message>
    <message>
        <source> %1 got none: loading its first batch raised an error.</source>
        <translation>%1 没有得到 batch：加载它的第一个 batch 时出错。</translation>
    </message>
    <message>
        <source> %1 got none: loading their first batch raised an error.</source>
        <translation>%1 没有得到 batch：加载它们的第一个 batch 时出错。</translation>
    </message>
    <message>
        <source>%1 repeats what the same rank had read</source>
        <translation>%1重复了同一 rank 已读取的内容</translation>
    </message>
    <message>
        <source>%1 repeat what the same rank had read</source>
        <translation>%1重复了同一 rank 已读取的内容</translation>
    </message>
    <message>
        <source> %1 left it there, without asking for another batch.</source>
        <translation>%1 在此离开了这一遍，没有再要 batch。</translation>
    </message>
    <message>
        <source> %1 got no more of it.</source>
        <translation>%1 没有再得到这一遍的 batch。</translation>
    </message>
    <message>
        <source> %1 asked for another batch and got none: loading it raised an error, or the rank ended first.</source>
        <translation>%1 又要了一个 batch 但没有得到：加载时出错，或该 rank 先结束了。</translation>
    </message>
    <message>
        <source> Loading %1 raised an error; it is not among these.</source>
        <translation>加载 %1 时出错；它不计入其中。</translation>
    </message>
    <message>
        <source> Loading %1 raised an error; they are not among these.</source>
        <translation>加载 %1 时出错；它们不计入其中。</translation>
    </message>
    <message>
        <source> %1 may have read more of it than was recorded.</source>
        <translation>%1 在这一遍中读取的可能比记录的更多。</translation>
    </message>
    <message>
        <source>Its sampler appears as %1, whose rule does not give what was read: the rule reads every pass to its end. Here some passes were left early, and the generator then continues from another place. %2</source>
        <translation>其采样器显示为 %1，但该类的规则得不出所读取的内容：按该规则，每一遍都会读完，而这里有些遍中途离开了，此后生成器从另一处继续。%2</translation>
    </message>
    <message>
        <source>Its sampler appears as %1, whose rule does not give what was read. %2</source>
        <translation>其采样器显示为 %1，但该类的规则得不出所读取的内容。%2</translation>
    </message>
    <message>
        <source>Every batch is what %1 gives with its generator if every pass is left before its end, as these were: it draws one permutation for such a pass, and two for a whole one. No key of a spec says that passes are left early.</source>
        <translation>每个 batch 都是 %1 在每一遍都中途离开的情况下（这里正是如此）由其生成器得出的：它为这样的一遍抽取一个排列，为完整的一遍抽取两个。配置中没有键能说明各遍是中途离开的。</translation>
    </message>
    <message>
        <source>Its sampler appears as %1, which draws from torch&apos;s global generator. The state of that generator is not recorded, so the rule can be neither confirmed nor ruled out, and no key of a spec gives that state. If the sampler had its own generator (generator=...), the order would be known beforehand.</source>
        <translation>其采样器显示为 %1，它从 torch 的全局生成器抽取。没有记录该生成器当时的状态，因此既不能证实也不能否定其规则，配置中也没有键能说明它。如果它有自己的生成器（generator=...），就能预先知道顺序。</translation>
    </message>
    <message>
        <source>Its sampler appears as %1, which draws from NumPy&apos;s global stream. Its rule does not give what was read if that stream has torch&apos;s seed and nothing else draws from it. Otherwise it can be neither confirmed nor ruled out, and no key of a spec describes that case.</source>
        <translation>其采样器显示为 %1，它从 NumPy 的全局随机流抽取。如果该流使用 torch 的种子且没有其他代码从中抽取，其规则得不出所读取的内容；否则既不能证实也不能否定，配置中也没有键能说明它。</translation>
    </message>
    <message>
        <source>Its batches cannot be written as they were read, either: %1</source>
        <translation>其 batch 也无法按读取的样子写出：%1</translation>
    </message>
    <message>
        <source>A world of %1 ranks is too large for a spec.</source>
        <translation>有 %1 个 rank 的 world 对配置来说太大。</translation>
    </message>
    <message>
        <source>No batch was recorded.</source>
        <translation>没有记录到任何 batch。</translation>
    </message>
    <message>
        <source>These %1 are too many for a spec file; plan, audit, find and diff take the recording.</source>
        <translation>这 %1 对一个配置文件来说太多；plan、audit、find 和 diff 可以直接使用记录。</translation>
    </message>
    <message>
        <source>The command was run without a spec: what a loader read is compared with the spec that was captured from it.</source>
        <translation>命令运行时没有配置：加载器读取的内容与从它捕获的配置相比较。</translation>
    </message>
    <message>
        <source>The spec holds the batches as they were read: epochs are passes over the loader.</source>
        <translation>配置按读取的样子保存各 batch：epoch 就是对加载器的各遍读取。</translation>
    </message>
    <message>
        <source>The dataset has no len(), and sample %1 was read: dataset.size is one more than that.</source>
        <translation>数据集没有 len()，且读取了样本 %1：dataset.size 为该数加一。</translation>
    </message>
    <message>
        <source>len(dataset) is %1, and sample %2 was read: dataset.size is one more than that.</source>
        <translation>len(dataset) 为 %1，但读取了样本 %2：dataset.size 为后者加一。</translation>
    </message>
    <message>
        <source>The loader has no batch_size of its own: loader.batch_size is the size of its largest batch, %1.</source>
        <translation>加载器没有自己的 batch_size：loader.batch_size 取其最大的 batch 的大小 %1。</translation>
    </message>
    <message>
        <source>The recording does not show that %1 read every pass to its end: such an epoch has only the batches that were recorded.</source>
        <translation>记录没有表明 %1 读完了每一遍：这样的 epoch 只包含已记录的 batch。</translation>
    </message>
    <message>
        <source>Rank %1 read %2, rank %3 %4: epoch e is the e-th pass of each rank, and need not be the same epoch of the job.</source>
        <translation>rank %1 读取了 %2，rank %3 读取了 %4 遍：epoch e 是每个 rank 的第 e 遍，不一定是作业的同一个 epoch。</translation>
    </message>
    <message>
        <source>%1: the spec captured from its %2, which plans the recorded batch.</source>
        <translation>%1：从其%2 捕获的配置，它计划了已记录的那个 batch。</translation>
    </message>
    <message>
        <source>%1: the spec captured from its %2, which plans all %3 recorded batches.</source>
        <translation>%1：从其%2 捕获的配置，它计划了全部 %3 个已记录的 batch。</translation>
    </message>
    <message>
        <source> 1 more batch that it plans was not read.</source>
        <translation>它所计划的另外 1 个 batch 没有读取。</translation>
    </message>
    <message>
        <source> %1 more batches that it plans were not read.</source>
        <translation>它所计划的另外 %1 个 batch 没有读取。</translation>
    </message>
    <message>
        <source> The others are shown as the spec plans them.</source>
        <translation>其余的按配置所计划的显示。</translation>
    </message>
    <message>
        <source>%1: what its %2 handed out, as it was recorded; epochs are passes.</source>
        <translation>%1：其%2 分发的内容，按记录显示；epoch 即各遍。</translation>
    </message>
    <message>
        <source> The others are shown without batches, because none are recorded.</source>
        <translation>其余的显示为没有 batch，因为没有记录。</translation>
    </message>
    <message>
        <source> The recording does not show that every pass was read to its end: what is missing from such an epoch may or may not have been read.</source>
        <translation>记录没有表明每一遍都读完了：这样的 epoch 中缺少的部分可能读取过，也可能没有。</translation>
    </message>
    <message>
        <source>no spec plans what its %1 drew. %2</source>
        <translation>没有配置能计划其%1 抽取的内容。%2</translation>
    </message>
    <message>
        <source>shardlens capture RUN says more</source>
        <translation>更多信息见 shardlens capture RUN</translation>
    </message>
    <message>
        <source>the sampler of rank %1 yields no whole numbers, so there are no ids.</source>
        <translation>rank %1 的采样器产生的不是整数，因此没有 id。</translation>
    </message>
    <message>
        <source>it is not known what its %1 reads several times. %2</source>
        <translation>其%1 重复读取了什么未知。%2</translation>
    </message>
    <message>
        <source>shardlens capture RUN says what is known, shardlens plan RUN shows the positions</source>
        <translation>shardlens capture RUN 说明已知的内容，shardlens plan RUN 显示各位置</translation>
    </message>
    <message>
        <source>its %1 is known only as it was read, which is not enough to judge it: %2 It is not known what the others read.</source>
        <translation>其%1 只有读取的记录，无法据此评判：%2其余的读取了什么未知。</translation>
    </message>
    <message>
        <source>its %1 is known only as it was read, which is not enough to judge it: no pass is recorded to its end on every rank.</source>
        <translation>其%1 只有读取的记录，无法据此评判：没有任何一遍在每个 rank 上都记录到末尾。</translation>
    </message>
    <message>
        <source>shardlens capture RUN -o design.yaml writes what its sampler plans, and shardlens audit design.yaml judges that</source>
        <translation>shardlens capture RUN -o design.yaml 写出其采样器的计划，shardlens audit design.yaml 对其评判</translation>
    </message>
    <message>
        <source>shardlens plan RUN shows what is recorded, shardlens capture RUN the rules that give it</source>
        <translation>shardlens plan RUN 显示已记录的内容，shardlens capture RUN 显示能得出它的规则</translation>
    </message>
    <message>
        <source>Not judged: %1 (%2)</source>
        <translation>未评判：%1（%2）</translation>
    </message>
    <message>
        <source>only epoch %1 is judged</source>
        <translation>只评判 epoch %1</translation>
    </message>
    <message>
        <source>only epochs %1 to %2 are judged</source>
        <translation>只评判 epoch %1 至 %2</translation>
    </message>
    <message>
        <source>only the first one is judged</source>
        <translation>只评判第一个</translation>
    </message>
    <message>
        <source>only the first %1 are judged</source>
        <translation>只评判前 %1 个</translation>
    </message>
    <message>
        <source>Of %1, %2: the recording does not show that every rank read the others to their end, once.</source>
        <translation>在 %1 中，%2：其余的没有记录表明每个 rank 都恰好读完一次。</translation>
    </message>
    <message>
        <source>rank %1 drew a batch without samples at step %2, which no spec holds.</source>
        <translation>rank %1 在 step %2 抽取了一个没有样本的 batch，任何配置都无法保存。</translation>
    </message>
    <message>
        <source>rank %1 read id %2, but ids of a spec begin at 0: only its dataset knows which sample that is.</source>
        <translation>rank %1 读取了 id %2，而配置的 id 从 0 开始：那是哪个样本，只有其数据集知道。</translation>
    </message>
    <message>
        <source>not all batches before step %1 of rank %2 in pass %3 are recorded, so what it drew cannot be shown.</source>
        <translation>rank %2 在第 %3 遍中 step %1 之前的 batch 没有全部记录，因此无法显示它抽取了什么。</translation>
    </message>
    <message>
        <source>shardlens capture RUN says what is damaged</source>
        <translation>shardlens capture RUN 说明哪些内容已损坏</translation>
    </message>
    <message>
        <source>What was read in each pass is not counted: %1</source>
        <translation>没有统计每一遍读取的内容：%1</translation>
    </message>
    <message>
        <source>Pass %1: %2 with %3 on %4: %5</source>
        <translation>第 %1 遍：%4 上有 %2，共 %3：%5</translation>
    </message>
    <message>
        <source>none twice</source>
        <translation>没有重复</translation>
    </message>
    <message>
        <source>on several ranks</source>
        <translation>由多个 rank 读取</translation>
    </message>
    <message>
        <source>%1 of them on several ranks</source>
        <translation>其中 %1 个由多个 rank 读取</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source> These are the batches of pass %1 again.</source>
        <translation>这些 batch 与第 %1 遍的相同。</translation>
    </message>
    <message>
        <source>Pass %1, by content: %2 on %3</source>
        <translation>第 %1 遍（按内容）：%3 上有 %2</translation>
    </message>
    <message>
        <source>Pass %1, by content: %2 with %3 on %4</source>
        <translation>第 %1 遍（按内容）：%4 上有 %2，共 %3</translation>
    </message>
    <message>
        <source>no two alike</source>
        <translation>各不相同</translation>
    </message>
    <message>
        <source>%1: %2 different</source>
        <translation>%1：%2 个不同的内容</translation>
    </message>
    <message>
        <source>it on several ranks</source>
        <translation>它由多个 rank 得到</translation>
    </message>
    <message>
        <source>all of them on several ranks</source>
        <translation>全部都由多个 rank 得到</translation>
    </message>
    <message>
        <source>%1 repeats what the same rank had got</source>
        <translation>%1 个重复了同一 rank 已得到的内容</translation>
    </message>
    <message>
        <source>%1 repeat what the same rank had got</source>
        <translation>%1 个重复了同一 rank 已得到的内容</translation>
    </message>
    <message>
        <source>What the stream gave was not compared, because that would have taken longer than 2 microseconds a sample. With SHARDLENS_PROBE_CONTENTS=1 in its environment, the job&apos;s next run is compared.</source>
        <translation>没有比较数据流给出的内容，因为每个样本会用去超过 2 微秒。在环境中设置 SHARDLENS_PROBE_CONTENTS=1 后，作业的下一次运行会进行比较。</translation>
    </message>
    <message>
        <source>What the stream gave was not compared: the probe reads CPU tensors and text, also in lists and dictionaries, and this is something else.</source>
        <translation>没有比较数据流给出的内容：探针只读取 CPU 上的张量和文本（也包括列表和字典中的），而这是其他内容。</translation>
    </message>
    <message>
        <source>What the stream gave was not compared: its contents are not recorded.</source>
        <translation>没有比较数据流给出的内容：其内容没有记录。</translation>
    </message>
    <message>
        <source>What the stream gave was not compared: not everything that rank %1 got is recorded.</source>
        <translation>没有比较数据流给出的内容：rank %1 得到的内容没有全部记录。</translation>
    </message>
    <message>
        <source>%1 got equal data</source>
        <translation>%1 得到了相同的数据</translation>
    </message>
    <message>
        <source>%1, and so did %2</source>
        <translation>%1，%2 也是如此</translation>
    </message>
    <message>
        <source>%1, so did %2</source>
        <translation>%1，%2 也是如此</translation>
    </message>
    <message>
        <source>%1, batch for batch</source>
        <translation>%1，逐个 batch 都相同</translation>
    </message>
    <message>
        <source>%1, in another order</source>
        <translation>%1，但顺序不同</translation>
    </message>
    <message>
        <source>%1, batched or ordered otherwise</source>
        <translation>%1，但 batch 的划分或顺序不同</translation>
    </message>
    <message>
        <source>In pass %1 of this stream, %2: their contents were compared. Either nothing divides the stream among them, or it holds the same data several times.</source>
        <translation>在此数据流的第 %1 遍中，%2：比较的是内容。要么没有在它们之间划分数据流，要么数据流多次包含相同的数据。</translation>
    </message>
    <message>
        <source>In pass %1 of this stream, each batch that rank %2 got came %3 times, or a multiple of that, by what it holds; the loader has %3 workers, and each of them reads the whole stream unless the dataset divides it by get_worker_info().</source>
        <translation>在此数据流的第 %1 遍中，按内容看，rank %2 得到的每个 batch 都出现了 %3 次或其倍数；加载器有 %3 个 worker，除非数据集用 get_worker_info() 划分数据流，否则每个 worker 都读取整个数据流。</translation>
    </message>
    <message>
        <source>In pass %1 of this stream, each sample that rank %2 got came %3 times, or a multiple of that, by what it holds; the loader has %3 workers, and each of them reads the whole stream unless the dataset divides it by get_worker_info().</source>
        <translation>在此数据流的第 %1 遍中，按内容看，rank %2 得到的每个样本都出现了 %3 次或其倍数；加载器有 %3 个 worker，除非数据集用 get_worker_info() 划分数据流，否则每个 worker 都读取整个数据流。</translation>
    </message>
    <message>
        <source>Not in any recorded batch: %1 of %2.</source>
        <translation>不在任何已记录的 batch 中：%2中的 %1 个。</translation>
    </message>
    <message>
        <source>and %1</source>
        <translation>以及%1</translation>
    </message>
    <message>
        <source>it is not known whether both runs read the same dataset, so their ids are not compared: %1, and %2.</source>
        <translation>无法确定两次运行读取的是同一个数据集，因此不比较它们的 id：%1 和 %2。</translation>
    </message>
    <message>
        <source>the epochs of these runs are too far apart to compare: %1 and %2.</source>
        <translation>这两次运行的 epoch 相距太远，无法比较：%1 和 %2。</translation>
    </message>
    <message>
        <source>%1: the spec that it ran. shardlens verify says whether the run obeyed it.</source>
        <translation>%1：它所运行的配置。运行是否遵守了它，见 shardlens verify。</translation>
    </message>
    <message>
        <source>set_epoch never called</source>
        <translation>从未调用 set_epoch</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>The same ids come from %1.</source>
        <translation>%1 也给出相同的 id。</translation>
    </message>
    <message>
        <source>The same ids come from %1 and %2.</source>
        <translation>%1 以及%2也给出相同的 id。</translation>
    </message>
    <message>
        <source>%1 of rule, parameters and seed was tried</source>
        <translation>尝试了规则、参数和种子的 %1</translation>
    </message>
    <message>
        <source>%1 of rule, parameters and seed were tried</source>
        <translation>尝试了规则、参数和种子的 %1</translation>
    </message>
    <message>
        <source>Only %1 could be compared, so others may fit by chance.</source>
        <translation>只有 %1 可以比较，因此其他规则也可能碰巧符合。</translation>
    </message>
    <message>
        <source>One pass does not show what the next one reads.</source>
        <translation>从一遍看不出下一遍会读取什么。</translation>
    </message>
    <message>
        <source>One rank does not show what the others read.</source>
        <translation>从一个 rank 看不出其他 rank 读取什么。</translation>
    </message>
    <message>
        <source>%1; rules that ShardLens does not know were not.</source>
        <translation>%1；ShardLens 不认识的规则没有尝试。</translation>
    </message>
    <message>
        <source>All %1 recorded ids of %2 on %3 are those that %4 deals, in the same batches.</source>
        <translation>%3 上 %2的全部 %1 个已记录的 id 都与 %4 分发的一致，batch 也相同。</translation>
    </message>
    <message>
        <source>All %1 recorded ids of %2 on %3 are those that %4 deals; it would cut them into other batches.</source>
        <translation>%3 上 %2的全部 %1 个已记录的 id 都与 %4 分发的一致；但它会把它们切成不同的 batch。</translation>
    </message>
    <message>
        <source>%1 cannot be determined: %2 give the same ids.</source>
        <translation>%1 无法判断：%2 给出相同的 id。</translation>
    </message>
    <message>
        <source>As a rule: %1</source>
        <translation>写成规则：%1</translation>
    </message>
    <message>
        <source>NumPy&apos;s global generator</source>
        <translation>NumPy 的全局生成器</translation>
    </message>
    <message>
        <source>Python&apos;s random</source>
        <translation>Python 的 random</translation>
    </message>
    <message>
        <source>seed %1 on %2, nothing drawn</source>
        <translation>%2 上为种子 %1，尚未抽取</translation>
    </message>
    <message>
        <source>seed %1 on %2, %3 drawn</source>
        <translation>%2 上为种子 %1，已抽取 %3</translation>
    </message>
    <message>
        <source>the seed of %1 is not among the %2 that were tried</source>
        <translation>%1 的种子不在尝试过的 %2 个之中</translation>
    </message>
    <message>
        <source>the seeds of %1 are not among the %2 that were tried, and their states are equal</source>
        <translation>%1 的种子不在尝试过的 %2 个之中，且它们的状态相同</translation>
    </message>
    <message>
        <source>the seeds of %1 are not among the %2 that were tried, and some of their states are equal</source>
        <translation>%1 的种子不在尝试过的 %2 个之中，且其中一些的状态相同</translation>
    </message>
    <message>
        <source>the seeds of %1 are not among the %2 that were tried, and their states differ</source>
        <translation>%1 的种子不在尝试过的 %2 个之中，且它们的状态不同</translation>
    </message>
    <message>
        <source> There is no worker_init_fn.</source>
        <translation>没有 worker_init_fn。</translation>
    </message>
    <message>
        <source> Unless worker_init_fn %1 seeds them apart.</source>
        <translation>除非 worker_init_fn %1 为它们设置不同的种子。</translation>
    </message>
    <message>
        <source>and so on</source>
        <translation>等等</translation>
    </message>
    <message>
        <source>%1 when pass 0 began: %2.</source>
        <translation>第 0 遍开始时的 %1：%2。</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>The loader has no worker_init_fn.</source>
        <translation>加载器没有 worker_init_fn。</translation>
    </message>
    <message>
        <source>The loader&apos;s worker_init_fn is %1.</source>
        <translation>加载器的 worker_init_fn 为 %1。</translation>
    </message>
    <message>
        <source>%1 has the same state on %2 when pass 0 begins, and num_workers is 0: the random numbers that their datasets draw from it, as for augmentations, begin alike on these ranks. Give augmentations a generator of their own, seeded with the rank; a sampler that shuffles with this one needs the common seed.</source>
        <translation>第 0 遍开始时，%1 在 %2 上的状态相同，且 num_workers 为 0：它们的数据集从中抽取的随机数（例如用于数据增强）在这些 rank 上以相同的值开始。请为数据增强使用单独的生成器，并用 rank 设置种子；用这个生成器打乱的采样器则需要共同的种子。</translation>
    </message>
    <message>
        <source>In pass 0, worker w has the same seed on %1, base_seed %2 + w: the random numbers that a dataset draws there from torch, random or NumPy, as for augmentations, begin alike on these ranks.</source>
        <translation>在第 0 遍中，worker w 在 %1 上的种子相同，为 base_seed %2 + w：数据集在其中从 torch、random 或 NumPy 抽取的随机数（例如用于数据增强）在这些 rank 上以相同的值开始。</translation>
    </message>
    <message>
        <source>In pass 0, worker w has the same seed on %1, base_seed %2 + w: the random numbers that a dataset draws there from torch or random, as for augmentations, begin alike on these ranks.</source>
        <translation>在第 0 遍中，worker w 在 %1 上的种子相同，为 base_seed %2 + w：数据集在其中从 torch 或 random 抽取的随机数（例如用于数据增强）在这些 rank 上以相同的值开始。</translation>
    </message>
    <message>
        <source>The workers of rank %1 have the same seeds in passes %2 and %3, base_seed %4 + w: the random numbers that the dataset draws there begin alike in both.</source>
        <translation>rank %1 的各 worker 在第 %2 遍和第 %3 遍中的种子相同，为 base_seed %4 + w：数据集在其中抽取的随机数在两遍中以相同的值开始。</translation>
    </message>
    <message>
        <source>the worker of a rank begins with the state that NumPy&apos;s global generator has in the rank</source>
        <translation>一个 rank 的 worker 以 NumPy 全局生成器在该 rank 中的状态开始</translation>
    </message>
    <message>
        <source>all %1 workers of a rank begin with the state that NumPy&apos;s global generator has in the rank</source>
        <translation>一个 rank 的全部 %1 个 worker 都以 NumPy 全局生成器在该 rank 中的状态开始</translation>
    </message>
    <message>
        <source>%1, which is the same on %2</source>
        <translation>%1，该状态在 %2 上相同</translation>
    </message>
    <message>
        <source>torch %1 does not seed NumPy in workers, and there is no worker_init_fn: %2. What the dataset draws from it, such as augmentations, repeats.</source>
        <translation>torch %1 不在 worker 中为 NumPy 设置种子，也没有 worker_init_fn：%2。数据集从中抽取的内容（例如数据增强）会重复。</translation>
    </message>
    <message>
        <source>Workers of several ranks draw the same random numbers</source>
        <translation>多个 rank 的 worker 抽到相同的随机数</translation>
    </message>
    <message>
        <source>Workers draw the same random numbers in two passes</source>
        <translation>worker 在两遍中抽到相同的随机数</translation>
    </message>
    <message>
        <source>Ranks draw the same random numbers</source>
        <translation>各 rank 抽到相同的随机数</translation>
    </message>
    <message>
        <source>Workers draw the same random numbers from NumPy</source>
        <translation>worker 从 NumPy 抽到相同的随机数</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>a dataset without len()</source>
        <translation>没有 len() 的数据集</translation>
    </message>
    <message>
        <source> 1 more batch was drawn and not recorded.</source>
        <translation>另有 1 个 batch 已抽取但没有记录。</translation>
    </message>
    <message>
        <source> %1 more batches were drawn and not recorded.</source>
        <translation>另有 %1 个 batch 已抽取但没有记录。</translation>
    </message>
    <message>
        <source> 1 more batch was queued and never handed to the loop.</source>
        <translation>另有 1 个 batch 已排队但从未交给循环。</translation>
    </message>
    <message>
        <source> %1 more batches were queued and never handed to the loop.</source>
        <translation>另有 %1 个 batch 已排队但从未交给循环。</translation>
    </message>
    <message>
        <source> 1 more batch was queued; not every process said whether the loop got it.</source>
        <translation>另有 1 个 batch 已排队；并非每个进程都说明了循环是否得到它。</translation>
    </message>
    <message>
        <source> %1 more batches were queued; not every process said whether the loop got them.</source>
        <translation>另有 %1 个 batch 已排队；并非每个进程都说明了循环是否得到它们。</translation>
    </message>
    <message>
        <source> %1 may have read more than was recorded.</source>
        <translation>%1 读取的可能比记录的更多。</translation>
    </message>
    <message>
        <source>loader %1</source>
        <translation>加载器 %1</translation>
    </message>
    <message>
        <source>Its sampler appears as %1 inside a BatchSampler that is given as sampler. The epochs that set_epoch gave it are not recorded.</source>
        <translation>其采样器显示为 %1，位于以 sampler= 传入的 BatchSampler 之中：set_epoch 告知了它哪些 epoch，没有记录。</translation>
    </message>
    <message>
        <source>seeds.rule fits the torch seeds of %1; those of the other ranks were not seen.</source>
        <translation>seeds.rule 符合 %1 的 torch 种子；其他 rank 的种子没有观察到。</translation>
    </message>
    <message>
        <source>Every batch is what torch.RandomSampler gives for the seed that it drew from torch&apos;s global generator (rank %1, first pass: %2). That generator was seeded again right before each pass (rank %1, first pass: %3), but a spec seeds it once. If the sampler had its own generator (generator=...), the order would be known beforehand.</source>
        <translation>每个 batch 都是 torch.RandomSampler 用它从 torch 全局生成器抽取的种子得出的（rank %1，第一遍：%2）。每一遍之前都刚刚重新设置了该生成器的种子（rank %1，第一遍：%3），而配置只设置一次。如果它有自己的生成器（generator=...），就能预先知道顺序。</translation>
    </message>
    <message>
        <source>The job was not seen to train on this loader; in validation this may be intended.</source>
        <translation>没有观察到作业用此加载器训练；在验证中这可能是有意的。</translation>
    </message>
    <message>
        <source>A rank has the same order in every epoch</source>
        <translation>有一个 rank 在每个 epoch 中的顺序都相同</translation>
    </message>
    <message>
        <source>Some ranks have the same order in every epoch</source>
        <translation>部分 rank 在每个 epoch 中的顺序都相同</translation>
    </message>
    <message>
        <source>%1 gives all of these batches and others; the others are not recorded as read and are left out here.</source>
        <translation>%1 能给出全部这些 batch，还有一些没有读取记录，此处略去。</translation>
    </message>
    <message>
        <source>The loader has drop_last=True. The batches are those that it handed out, so the spec has nothing to drop: drop_last is false.</source>
        <translation>加载器的 drop_last=True。这些 batch 就是它交出的那些，因此配置中没有可丢弃的：drop_last 为 false。</translation>
    </message>
    <message>
        <source> How many of the planned batches were read was not counted.</source>
        <translation>计划的 batch 读取了多少，没有计数。</translation>
    </message>
    <message>
        <source>Of %1, %2: the recording does not say for every rank how far it read the others.</source>
        <translation>在 %1 中，%2：其余的没有记录表明每个 rank 读到了哪里。</translation>
    </message>
    <message>
        <source>None of the %1 of rule, parameters and seed that were tried, up to the bound of drawn ids, gives these ids.</source>
        <translation>尝试了规则、参数和种子的 %1，直到抽取的 id 数达到上限，都得不出这些 id。</translation>
    </message>
    <message>
        <source>None of the %1 of rule, parameters and seed that were tried gives these ids.</source>
        <translation>尝试了规则、参数和种子的 %1，都得不出这些 id。</translation>
    </message>
    <message>
        <source>These are the recorded batches.</source>
        <translation>这些 batch 就是记录下来的那些。</translation>
    </message>
    <message>
        <source> The loader has drop_last=True, which leaves out a short last batch of each rank.</source>
        <translation>加载器的 drop_last=True，会舍去每个 rank 不满的最后一个 batch。</translation>
    </message>
    <message>
        <source> The recording does not say what else leaves samples out.</source>
        <translation>还有什么使样本被略去，记录中没有说明。</translation>
    </message>
    <message>
        <source>the probe files of this recording contain no DataLoader.</source>
        <translation>此记录的探针文件中没有任何 DataLoader。</translation>
    </message>
    <message>
        <source> Another one reads the same batches: each of these samples is read more than once.</source>
        <translation>另有一个作业读取相同的 batch：这些样本每个都被多次读取。</translation>
    </message>
    <message>
        <source>The loader of rank %1 drew another base_seed for its workers than the spec gives: loader.worker_seeds is unknown.</source>
        <translation>rank %1 的加载器为其 worker 抽取的 base_seed 与配置给出的不同：loader.worker_seeds 为 unknown。</translation>
    </message>
    <message>
        <source>Of %1 ranks, only %2 was seen to read this loader.</source>
        <translation>在 %1 个 rank 中，只观察到 %2 读取了此加载器。</translation>
    </message>
    <message>
        <source>Of %1 ranks, only %2 were seen to read this loader.</source>
        <translation>在 %1 个 rank 中，只观察到 %2 读取了此加载器。</translation>
    </message>
    <message>
        <source>Every batch is what torch.RandomSampler gives for the seed that it drew from torch&apos;s global generator (rank %1, first pass: %2). No key of a spec says what else draws from that generator, such as a model&apos;s initial weights or its dropout. If the sampler had its own generator (generator=...), the order would be known beforehand.</source>
        <translation>每个 batch 都是 torch.RandomSampler 用它从 torch 全局生成器抽取的种子得出的（rank %1，第一遍：%2）。配置中没有键能说明还有什么从该生成器抽取，例如模型的初始权重或 dropout。如果它有自己的生成器（generator=...），就能预先知道顺序。</translation>
    </message>
    <message>
        <source>On rank %1, %2. Its sampler reports another epoch in some of these passes, but its order did not change.</source>
        <translation>在 rank %1 上，%2。在其中某些遍中，它的采样器给出了另一个 epoch，但顺序并未因此改变。</translation>
    </message>
    <message>
        <source>In pass %1 of this loader, %2, as their samplers report. Shares of one epoch divide the dataset; shares of different epochs may have samples in common and leave others out. Call sampler.set_epoch(epoch) with the same number on every rank.</source>
        <translation>按采样器所示，在此加载器的第 %1 遍中，%2。同一个 epoch 的各份划分数据集；不同 epoch 的份额可能会共享一些样本，并遗漏另一些。请在每个 rank 上用同一个数调用 sampler.set_epoch(epoch)。</translation>
    </message>
    <message>
        <source>%1 gives all of these batches. Its batches for ranks that were not seen to read this loader are left out here.</source>
        <translation>%1 能给出全部这些 batch。它给没有观察到读取此加载器的 rank 的部分，此处略去。</translation>
    </message>
    <message>
        <source> 1 more batch was waiting for the loop when the ranks last reported.</source>
        <translation>各 rank 最后一次报告时，另有 1 个 batch 在等待循环。</translation>
    </message>
    <message>
        <source> %1 more batches were waiting for the loop when the ranks last reported.</source>
        <translation>各 rank 最后一次报告时，另有 %1 个 batch 在等待循环。</translation>
    </message>
    <message>
        <source>The ranks of this loader were started %1 times, and another start ran at the same time as this one. This is start %2, with %3; the others are shown as separate loaders.</source>
        <translation>此加载器的各 rank 被启动了 %1 次，另有一次启动与这一次同时运行：这是第 %2 次启动，包含 %3。其余的作为单独的加载器列出。</translation>
    </message>
    <message>
        <source>The ranks of this loader were started %1 times. This is start %2, with %3; the others are shown as separate loaders.</source>
        <translation>此加载器的各 rank 被启动了 %1 次：这是第 %2 次启动，包含 %3。其余的作为单独的加载器列出。</translation>
    </message>
    <message>
        <source>Another job with the same ranks ran at the same time. In this one %1 of world size %2 read this loader.</source>
        <translation>另一个 rank 编号相同的作业同时运行。在这个作业中，%1（world size %2）读取了此加载器。</translation>
    </message>
    <message>
        <source>Another job with the same ranks ran at the same time. In this one %1 of world size %2 read this loader, started by process %3 of another launcher.</source>
        <translation>另一个 rank 编号相同的作业同时运行。在这个作业中，%1（world size %2）读取了此加载器，它由另一个启动器的进程 %3 启动。</translation>
    </message>
</context>
<context>
    <name>checks</name>
    <message>
        <source>rank 0&apos;s loader gives no batch to send: lower batch_size or turn drop_last off</source>
        <translation>rank 0 的加载器没有可发送的 batch：请减小 batch_size 或关闭 drop_last</translation>
    </message>
    <message>
        <source>with split_batches, batch_size is the total over all processes</source>
        <translation>使用 split_batches 时，batch_size 是所有进程的总和</translation>
    </message>
    <message>
        <source>torch keeps negative seeds modulo 2^64; give a seed of 0 or more, or data_seed</source>
        <translation>torch 按模 2^64 保存负种子；请给出不小于 0 的种子，或设置 data_seed</translation>
    </message>
    <message>
        <source>give samples</source>
        <translation>请给出样本</translation>
    </message>
    <message>
        <source>take 0 or more</source>
        <translation>请取 0 或更大的值</translation>
    </message>
    <message>
        <source>rank %1 gets one item: give every rank two or more</source>
        <translation>rank %1 只得到一项：请让每个 rank 至少有两项</translation>
    </message>
    <message>
        <source>rank %1 gets none: give every rank two or more</source>
        <translation>rank %1 一项也没有：请让每个 rank 至少有两项</translation>
    </message>
    <message>
        <source>the classes of the samples are not known.</source>
        <translation>样本的类别未知。</translation>
    </message>
    <message>
        <source>give one label for each sample</source>
        <translation>请给每个样本一个标签</translation>
    </message>
    <message>
        <source>take one or more</source>
        <translation>请取 1 或更大的值</translation>
    </message>
    <message>
        <source>take at least one batch</source>
        <translation>请至少取一个 batch</translation>
    </message>
    <message>
        <source>take a smaller batch, or a larger m</source>
        <translation>请减小 batch，或增大 m</translation>
    </message>
    <message>
        <source>take a multiple of m</source>
        <translation>请取 m 的倍数</translation>
    </message>
    <message>
        <source>the list is empty: give at least %1, for example 0..7</source>
        <translation>列表为空：请至少给出 %1，例如 0..7</translation>
    </message>
    <message>
        <source>a batch takes %1 of %2: list more</source>
        <translation>一个 batch 要取 %1 个，而列表中有 %2：请列出更多</translation>
    </message>
    <message>
        <source>a batch has room for %1: keep secondary_batch_size above 0 and below loader.batch_size</source>
        <translation>一个 batch 只能容纳 %1：请让 secondary_batch_size 大于 0 且小于 loader.batch_size</translation>
    </message>
    <message>
        <source>there are fewer samples than ranks</source>
        <translation>样本少于 rank</translation>
    </message>
    <message>
        <source>not predictable, because shuffle() without a seed draws one at random.</source>
        <translation>无法预测，因为没有种子的 shuffle() 会随机取一个种子。</translation>
    </message>
    <message>
        <source>give a seed, the same on all ranks</source>
        <translation>请给出种子，所有 rank 相同</translation>
    </message>
    <message>
        <source>There are %1 groups for %2.</source>
        <translation>有 %1 个组，对应 %2。</translation>
    </message>
    <message>
        <source>give the group of every sample</source>
        <translation>请给出每个样本的组</translation>
    </message>
    <message>
        <source>give at least 1 sample</source>
        <translation>请至少给出 1 个样本</translation>
    </message>
    <message>
        <source>There are %1 factors for %2.</source>
        <translation>有 %1 个系数，对应 %2。</translation>
    </message>
    <message>
        <source>give one for each sample</source>
        <translation>请为每个样本给出一个</translation>
    </message>
    <message>
        <source>No factor is above 0.001: the sampler would search too long.</source>
        <translation>没有大于 0.001 的系数：采样器会找得过久。</translation>
    </message>
    <message>
        <source>Every factor is 0: the sampler would search forever.</source>
        <translation>所有系数都是 0：采样器会一直找下去。</translation>
    </message>
    <message>
        <source>raise a factor to 1</source>
        <translation>请把某个系数提高到 1</translation>
    </message>
    <message>
        <source>raise it until at least 1 sample is left</source>
        <translation>请提高它，使至少剩下 1 个样本</translation>
    </message>
    <message>
        <source>an IndexSampler without num_epochs never ends.</source>
        <translation>没有 num_epochs 的 IndexSampler 永不结束。</translation>
    </message>
    <message>
        <source>give num_epochs the number of passes to look at</source>
        <translation>请把 num_epochs 设为要查看的遍数</translation>
    </message>
    <message>
        <source>give a seed</source>
        <translation>请给出种子</translation>
    </message>
    <message>
        <source>take one below 2^32</source>
        <translation>请取小于 2^32 的值</translation>
    </message>
    <message>
        <source>give the dataset at least one sample</source>
        <translation>请让数据集至少有一个样本</translation>
    </message>
    <message>
        <source>rank %1 has no records: use fewer ranks, or drop_remainder</source>
        <translation>rank %1 没有记录：请减少 rank，或使用 drop_remainder</translation>
    </message>
    <message>
        <source>not predictable, because no rule of this build wraps a %1.</source>
        <translation>无法预测，因为此版本没有包装 %1 的规则。</translation>
    </message>
    <message>
        <source>give every rank at least one sample</source>
        <translation>请让每个 rank 至少有一个样本</translation>
    </message>
    <message>
        <source>the checkpoint had read the whole dataset: begin another pass with 0</source>
        <translation>检查点已读完整个数据集：请从 0 开始新的一遍</translation>
    </message>
    <message>
        <source>the dataset has fewer samples than micro_batch_size times the data-parallel size</source>
        <translation>数据集的样本少于 micro_batch_size 乘以数据并行数</translation>
    </message>
    <message>
        <source>within its epoch it must be a multiple of micro_batch_size times the data-parallel size, %1</source>
        <translation>在其 epoch 内，它必须是 micro_batch_size 乘以数据并行数（%1）的倍数</translation>
    </message>
    <message>
        <source>give at least 1 sample, or switch sampler.round_up off</source>
        <translation>请至少给出 1 个样本，或关闭 sampler.round_up</translation>
    </message>
    <message>
        <source>an empty dataset keeps InfiniteSampler searching forever.</source>
        <translation>空数据集会使 InfiniteSampler 一直找下去。</translation>
    </message>
    <message>
        <source>give at least one sample</source>
        <translation>请至少给出一个样本</translation>
    </message>
    <message>
        <source>use a seed from 0 on</source>
        <translation>请使用不小于 0 的种子</translation>
    </message>
    <message>
        <source>what the script hands to torch.manual_seed goes to np.random.seed too</source>
        <translation>脚本传给 torch.manual_seed 的值也会传给 np.random.seed</translation>
    </message>
    <message>
        <source>no sample is drawn</source>
        <translation>没有抽到样本</translation>
    </message>
    <message>
        <source>lower it, or give the stream more samples</source>
        <translation>请减小它，或给该数据流更多样本</translation>
    </message>
    <message>
        <source>The streams&apos; numbers of shards do not add up to the %1 of dataset.shards.</source>
        <translation>各数据流的 shard 数之和不等于 dataset.shards 中的 %1 个。</translation>
    </message>
    <message>
        <source>say how many of dataset.shards each stream has</source>
        <translation>请写明每个数据流占 dataset.shards 中的多少个</translation>
    </message>
    <message>
        <source>There are %1 streams, and weights of %2.</source>
        <translation>有 %1 个数据流，却有 %2 个的权重。</translation>
    </message>
    <message>
        <source>give one for each stream of sampler.streams, -1 for none</source>
        <translation>请为 sampler.streams 的每个数据流给出一个，没有则写 -1</translation>
    </message>
    <message>
        <source>the real text names the whole path of the stream&apos;s index.json</source>
        <translation>实际的消息会写出该数据流 index.json 的完整路径</translation>
    </message>
    <message>
        <source>The epoch does not fit in memory.</source>
        <translation>内存放不下这个 epoch。</translation>
    </message>
    <message>
        <source>take fewer samples, ranks, workers, or smaller batches</source>
        <translation>请减少样本、rank 或 worker，或减小 batch</translation>
    </message>
    <message>
        <source>the samples of a canonical node are too few to fill up its %1 physical nodes</source>
        <translation>一个规范节点的样本太少，填不满它的 %1 个物理节点</translation>
    </message>
    <message>
        <source>the epoch draws no sample</source>
        <translation>这个 epoch 没有抽到样本</translation>
    </message>
    <message>
        <source>The epoch has too many places to list.</source>
        <translation>这个 epoch 的位置太多，无法列出。</translation>
    </message>
    <message>
        <source>use smaller batches</source>
        <translation>请减小 batch</translation>
    </message>
    <message>
        <source>The epoch has too many samples to list.</source>
        <translation>这个 epoch 的样本太多，无法列出。</translation>
    </message>
    <message>
        <source>draw fewer samples</source>
        <translation>请减少抽取的样本</translation>
    </message>
    <message>
        <source>write -1 for a stream in the lists that do not count for it</source>
        <translation>在不适用于该数据流的列表中写 -1</translation>
    </message>
    <message>
        <source>write -1 for a stream without it</source>
        <translation>没有此值的数据流写 -1</translation>
    </message>
    <message>
        <source>give every stream a proportion, or none</source>
        <translation>请给每个数据流一个比例，或都不给</translation>
    </message>
    <message>
        <source>The streams&apos; proportions add up to nothing.</source>
        <translation>各数据流的比例之和为零。</translation>
    </message>
    <message>
        <source>give at least one stream a positive proportion</source>
        <translation>请至少给一个数据流正的比例</translation>
    </message>
    <message>
        <source>use no more than twice as many ranks as samples</source>
        <translation>rank 数请不要超过样本数的两倍</translation>
    </message>
    <message>
        <source>use no more than twice as many ranks as repeated samples</source>
        <translation>rank 数请不要超过重复后样本数的两倍</translation>
    </message>
    <message>
        <source>give num_replicas and rank of the same kind</source>
        <translation>num_replicas 与 rank 请使用同一种取值</translation>
    </message>
    <message>
        <source>the plan reads more than 2^53 samples of the stream</source>
        <translation>计划从数据流中读取超过 2^53 个样本</translation>
    </message>
    <message>
        <source>take fewer samples, or plan fewer epochs</source>
        <translation>请减少样本，或减少计划的 epoch</translation>
    </message>
    <message>
        <source>The batches of an epoch do not fit in memory.</source>
        <translation>内存放不下一个 epoch 的 batch。</translation>
    </message>
    <message>
        <source>raise loader.batch_size</source>
        <translation>请增大 loader.batch_size</translation>
    </message>
    <message>
        <source>randperm raises an error for lengths that are floats but not fractions.</source>
        <translation>不是比例的浮点长度会导致 randperm 报错。</translation>
    </message>
    <message>
        <source>The samples of all workers do not fit in memory.</source>
        <translation>内存放不下所有 worker 的样本。</translation>
    </message>
    <message>
        <source>read fewer</source>
        <translation>请减少读取</translation>
    </message>
    <message>
        <source>there is 1 weight, but the dataset has only %2.</source>
        <translation>有 1 个权重，但数据集只有 %2。</translation>
    </message>
    <message>
        <source>there are %1 weights, but the dataset has only %2.</source>
        <translation>有 %1 个权重，但数据集只有 %2。</translation>
    </message>
    <message>
        <source>raise dataset.size, or give one weight for each sample</source>
        <translation>请增大 dataset.size，或为每个样本给出一个权重</translation>
    </message>
    <message>
        <source>there are too few samples to fill every rank&apos;s block</source>
        <translation>样本太少，填不满每个 rank 的区块</translation>
    </message>
    <message>
        <source>There are %1 lengths for %2.</source>
        <translation>有 %1 个长度，对应 %2。</translation>
    </message>
    <message>
        <source>give the length of every sample, in the order of the dataset</source>
        <translation>请按数据集的顺序给出每个样本的长度</translation>
    </message>
    <message>
        <source>there are too few samples to pad every rank&apos;s share with</source>
        <translation>样本太少，无法填充每个 rank 的份额</translation>
    </message>
    <message>
        <source>take split_by_node</source>
        <translation>请使用 split_by_node</translation>
    </message>
    <message>
        <source>WebDataset draws the seed of its shards&apos; shuffle at random</source>
        <translation>WebDataset 随机取 shard 打乱的种子</translation>
    </message>
    <message>
        <source>shuffle() is seeded by the time and the process id</source>
        <translation>shuffle() 以时间和进程号作种子</translation>
    </message>
    <message>
        <source>give at least one shard to each worker of each rank</source>
        <translation>请给每个 rank 的每个 worker 至少一个 shard</translation>
    </message>
    <message>
        <source>ResampledShards is seeded by the time, the process id and the system&apos;s random bytes</source>
        <translation>ResampledShards 以时间、进程号和系统的随机字节作种子</translation>
    </message>
    <message>
        <source>set deterministic</source>
        <translation>请设置 deterministic</translation>
    </message>
    <message>
        <source>roi needs two items for each chunk: the first one that is used and the one behind the last, both in the chunk.</source>
        <translation>roi 需要为每个数据块给出两个编号：第一个被使用的样本，以及最后一个之后的样本，二者都须在该块之内。</translation>
    </message>
    <message>
        <source>count items through the whole dataset</source>
        <translation>样本编号按整个数据集计数</translation>
    </message>
    <message>
        <source>NumPy takes no other seed</source>
        <translation>NumPy 不接受其他种子</translation>
    </message>
    <message>
        <source>take a multiple of that product</source>
        <translation>请取该乘积的倍数</translation>
    </message>
    <message>
        <source>lower it, or switch sampler.drop_last off</source>
        <translation>请调小它，或关闭 sampler.drop_last</translation>
    </message>
    <message>
        <source>give a seed: the epoch is added to torch&apos;s own, which is close to 2^64</source>
        <translation>请给出种子：epoch 会加到 torch 自己的种子上，而它已接近 2^64</translation>
    </message>
    <message>
        <source>switch it on</source>
        <translation>请打开它</translation>
    </message>
    <message>
        <source>aspect_ratios needs one number for each sample.</source>
        <translation>aspect_ratios 需要为每个样本给出一个数。</translation>
    </message>
    <message>
        <source>give as many as dataset.size, or alternating</source>
        <translation>请给出与 dataset.size 一样多的数，或写 alternating</translation>
    </message>
    <message>
        <source>categories needs the classes of each image, with -1 behind those of each.</source>
        <translation>categories 需要给出每张图像的类别，并在每张图像之后写 -1。</translation>
    </message>
    <message>
        <source>write one -1 for each sample of the dataset</source>
        <translation>请为数据集的每个样本写一个 -1</translation>
    </message>
    <message>
        <source>give an image with a class</source>
        <translation>请给出一张带类别的图像</translation>
    </message>
    <message>
        <source>source_ratio needs one number for each entry of dataset.shards.</source>
        <translation>source_ratio 需要为 dataset.shards 的每一项给出一个数。</translation>
    </message>
    <message>
        <source>give as many numbers, or equal</source>
        <translation>请给出同样多的数，或写 equal</translation>
    </message>
    <message>
        <source>give a share above 0</source>
        <translation>请给出大于 0 的份额</translation>
    </message>
    <message>
        <source>give each at least one sample</source>
        <translation>请给每个数据集至少一个样本</translation>
    </message>
    <message>
        <source>raise its share, or loader.batch_size</source>
        <translation>请提高它的份额，或调大 loader.batch_size</translation>
    </message>
    <message>
        <source>give every rank a sample, or switch sampler.even_divisible on</source>
        <translation>请让每个 rank 都有样本，或打开 sampler.even_divisible</translation>
    </message>
    <message>
        <source>switch it off, or sampler.even_divisible on: the cut no longer fits</source>
        <translation>请关闭它，或打开 sampler.even_divisible：截断后数量不再相符</translation>
    </message>
    <message>
        <source>give one weight for each sample</source>
        <translation>请为每个样本给出一个权重</translation>
    </message>
    <message>
        <source>the file must have more tokens than block_size</source>
        <translation>文件的 token 数必须多于 block_size</translation>
    </message>
    <message>
        <source>take a multiple of sampler.sequence_length for each rank</source>
        <translation>请让每个 rank 分到 sampler.sequence_length 的倍数</translation>
    </message>
    <message>
        <source>the ranks would get unequal parts of a global batch, which are not modelled.</source>
        <translation>各 rank 从全局 batch 分到的份额不相等，这种情况没有建模。</translation>
    </message>
    <message>
        <source>take a chunk size that leaves whole batches, or 1</source>
        <translation>请取能留下整数个 batch 的 chunk_size，或取 1</translation>
    </message>
    <message>
        <source>epochs count from 1</source>
        <translation>epoch 从 1 开始计数</translation>
    </message>
    <message>
        <source>NumPy takes no other epoch number as its seed</source>
        <translation>NumPy 不接受其他 epoch 编号作为种子</translation>
    </message>
    <message>
        <source>draw at least 1 sample</source>
        <translation>请至少抽取 1 个样本</translation>
    </message>
    <message>
        <source>draw fewer, or switch sampler.replacement on</source>
        <translation>请少抽一些，或打开 sampler.replacement</translation>
    </message>
    <message>
        <source>give weights of 0 or more</source>
        <translation>请给出不小于 0 的权重</translation>
    </message>
    <message>
        <source>give finite weights</source>
        <translation>请给出有限的权重</translation>
    </message>
    <message>
        <source>give a weight above 0</source>
        <translation>请给出大于 0 的权重</translation>
    </message>
    <message>
        <source>give one weight for each of sampler.batch_sizes</source>
        <translation>请为 sampler.batch_sizes 的每一项给出一个权重</translation>
    </message>
    <message>
        <source>give a batch size</source>
        <translation>请给出 batch 大小</translation>
    </message>
    <message>
        <source>give two batch sizes or more</source>
        <translation>请给出两个或更多的 batch 大小</translation>
    </message>
    <message>
        <source>take smaller ones, or switch sampler.drop_last off</source>
        <translation>请取更小的值，或关闭 sampler.drop_last</translation>
    </message>
    <message>
        <source>take 1 or more</source>
        <translation>请取 1 或更大的值</translation>
    </message>
    <message>
        <source>no rank has a whole batch, and the loader&apos;s constructor then asks for one forever.</source>
        <translation>没有 rank 能凑满一个 batch，加载器的构造函数会永远索要下去。</translation>
    </message>
    <message>
        <source>lower loader.batch_size, or switch loader.drop_last off</source>
        <translation>请调小 loader.batch_size，或关闭 loader.drop_last</translation>
    </message>
    <message>
        <source>rank %1 keeps no image: give every rank one or more</source>
        <translation>rank %1 没有图像：请让每个 rank 至少有一张</translation>
    </message>
    <message>
        <source>raise min_difficulty until each metric has samples that are easy enough</source>
        <translation>请提高 min_difficulty，直到每个指标都有足够简单的样本</translation>
    </message>
    <message>
        <source>no sample is easy enough for the first step: raise min_difficulty</source>
        <translation>没有样本简单到可用于第一个 step：请提高 min_difficulty</translation>
    </message>
    <message>
        <source>a metric with fixed_discrete has no stage.</source>
        <translation>采用 fixed_discrete 的指标没有任何阶段。</translation>
    </message>
    <message>
        <source>give it stages, or take another schedule</source>
        <translation>请为它给出阶段，或换用其他调度方式</translation>
    </message>
    <message>
        <source>with several metrics, difficulties that fall are not modelled.</source>
        <translation>有多个指标时，难度下降的情况没有建模。</translation>
    </message>
    <message>
        <source>let difficulties rise</source>
        <translation>请让难度递增</translation>
    </message>
    <message>
        <source>metric_values needs one number for each sample and metric.</source>
        <translation>metric_values 需要为每个样本的每个指标给出一个数。</translation>
    </message>
    <message>
        <source>give dataset.size numbers for each of sampler.metrics, or position</source>
        <translation>请为 sampler.metrics 的每一项给出 dataset.size 个数，或写 position</translation>
    </message>
    <message>
        <source>switch it off, or lower loader.batch_size</source>
        <translation>请关闭它，或调小 loader.batch_size</translation>
    </message>
    <message>
        <source>a shard has fewer rows than all ranks take in a step, which llm.c refuses.</source>
        <translation>有一个 shard 的行数少于所有 rank 一个 step 所取的行数，llm.c 会拒绝它。</translation>
    </message>
    <message>
        <source>give each shard a whole step, or lower loader.batch_size</source>
        <translation>请让每个 shard 至少够一个 step，或调小 loader.batch_size</translation>
    </message>
    <message>
        <source>the saved state points behind the end of the shards.</source>
        <translation>保存的状态指向 shard 末尾之后。</translation>
    </message>
    <message>
        <source>take the state of a run with these shards and this batch size</source>
        <translation>请使用以相同 shard 和相同 batch 大小运行时保存的状态</translation>
    </message>
    <message>
        <source>the class takes one dataset or two</source>
        <translation>该类只接受一个或两个数据集</translation>
    </message>
    <message>
        <source>one dataset has no tall or no wide image and the other has: the first batch of them keeps the sampler searching forever.</source>
        <translation>一个数据集没有竖图或没有横图，而另一个有：遇到第一个这样的 batch 时，采样器会一直找下去。</translation>
    </message>
    <message>
        <source>give both datasets images of both groups</source>
        <translation>请让两个数据集都包含竖图和横图</translation>
    </message>
    <message>
        <source>an empty dataset keeps the sampler searching forever.</source>
        <translation>空数据集会使采样器一直找下去。</translation>
    </message>
    <message>
        <source>a dataset has no sample in a batch, which keeps the sampler searching forever.</source>
        <translation>有一个数据集在 batch 中没有样本，这会使采样器一直找下去。</translation>
    </message>
    <message>
        <source>DeepSpeedDataSampler keeps drawing without a step: 10 000 global batches in a row hold fewer samples than a step takes, and drop_last drops them.</source>
        <translation>DeepSpeedDataSampler 一直抽取却得不到一个 step：连续 10 000 个全局 batch 的样本都少于一个 step 所需，而 drop_last 会舍去它们。</translation>
    </message>
    <message>
        <source>ResampledShards without nshards never ends.</source>
        <translation>没有 nshards 的 ResampledShards 永远不会结束。</translation>
    </message>
    <message>
        <source>give with_epoch, and the dataset at least 1 sample</source>
        <translation>给出 with_epoch，并且数据集至少有 1 个样本</translation>
    </message>
    <message>
        <source>not predictable, because %1 assumes that all nodes have the same number of ranks, and these nodes differ.</source>
        <translation>无法预测，因为 %1 假定所有节点的 rank 数相同，而这些节点各不相同。</translation>
    </message>
    <message>
        <source>give every node the same number of ranks</source>
        <translation>请让每个节点的 rank 数相同</translation>
    </message>
    <message>
        <source>it divides by %1, ranks of another node by %2: give all the world size, %3</source>
        <translation>它按 %1 划分，另一节点的 rank 按 %2 划分：请全部使用 world size，即 %3</translation>
    </message>
</context>
<context>
    <name>common</name>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>epoch %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>step %1</translation>
    </message>
    <message>
        <source>sample %1</source>
        <translation>样本 %1</translation>
    </message>
    <message>
        <source>go there</source>
        <translation>转到该处</translation>
    </message>
    <message>
        <source>where it goes in each epoch</source>
        <translation>它在每个 epoch 的去向</translation>
    </message>
    <message>
        <source>choose another name or folder</source>
        <translation>请选择其他名称或文件夹</translation>
    </message>
    <message>
        <source>A picture with this file extension cannot be saved.</source>
        <translation>无法保存此扩展名的图片。</translation>
    </message>
    <message>
        <source>use .png or .svg</source>
        <translation>请使用 .png 或 .svg</translation>
    </message>
    <message>
        <source>The picture could not be saved: %1.</source>
        <translation>图片无法保存：%1。</translation>
    </message>
    <message>
        <source>ranks %1 and %2</source>
        <translation>rank %1 和 %2</translation>
    </message>
    <message>
        <source>what they share</source>
        <translation>它们共有的样本</translation>
    </message>
</context>
<context>
    <name>count</name>
    <message>
        <source>%1 byte</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>%1 common sample</source>
        <translation>%1 个共同样本</translation>
    </message>
    <message>
        <source>%1 core</source>
        <translation>%1 个核心</translation>
    </message>
    <message>
        <source>%1 different seed</source>
        <translation>%1 个不同的种子</translation>
    </message>
    <message>
        <source>%1 epoch</source>
        <translation>%1 个 epoch</translation>
    </message>
    <message>
        <source>%1 extra reading</source>
        <translation>%1 次多余读取</translation>
    </message>
    <message>
        <source>%1 error</source>
        <translation>%1 个错误</translation>
    </message>
    <message>
        <source>%1 id</source>
        <translation>%1 个 id</translation>
    </message>
    <message>
        <source>%1 item</source>
        <translation>%1 项</translation>
    </message>
    <message>
        <source>%1 message</source>
        <translation>%1 条消息</translation>
    </message>
    <message>
        <source>%1 method</source>
        <translation>%1 种方式</translation>
    </message>
    <message>
        <source>%1 more pair</source>
        <translation>另有 %1 对</translation>
    </message>
    <message>
        <source>%1 node</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>%1 number</source>
        <translation>%1 个数</translation>
    </message>
    <message>
        <source>%1 order</source>
        <translation>%1 种顺序</translation>
    </message>
    <message>
        <source>%1 other rank</source>
        <translation>另外 %1 个 rank</translation>
    </message>
    <message>
        <source>%1 other</source>
        <translation>另外 %1 个</translation>
    </message>
    <message>
        <source>%1 padding item</source>
        <translation>%1 个填充项</translation>
    </message>
    <message>
        <source>%1 pair</source>
        <translation>%1 对</translation>
    </message>
    <message>
        <source>%1 pasted character</source>
        <translation>粘贴的 %1 个字符</translation>
    </message>
    <message>
        <source>%1 problem</source>
        <translation>%1 个问题</translation>
    </message>
    <message>
        <source>%1 rank</source>
        <translation>%1 个 rank</translation>
    </message>
    <message>
        <source>%1 record</source>
        <translation>%1 条记录</translation>
    </message>
    <message>
        <source>%1 repeated sample</source>
        <translation>%1 个重复样本</translation>
    </message>
    <message>
        <source>%1 row</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>%1 sample</source>
        <translation>%1 个样本</translation>
    </message>
    <message>
        <source>%1 sampler</source>
        <translation>%1 个采样器</translation>
    </message>
    <message>
        <source>%1 seed</source>
        <translation>%1 个种子</translation>
    </message>
    <message>
        <source>%1 shared sample</source>
        <translation>%1 个共享样本</translation>
    </message>
    <message>
        <source>%1 step</source>
        <translation>%1 个 step</translation>
    </message>
    <message>
        <source>%1 time</source>
        <translation>%1 次</translation>
    </message>
    <message>
        <source>%1 unknown message</source>
        <translation>%1 条未知消息</translation>
    </message>
    <message>
        <source>%1 warning</source>
        <translation>%1 个警告</translation>
    </message>
    <message>
        <source>%1 worker stream</source>
        <translation>%1 个 worker 随机流</translation>
    </message>
    <message>
        <source>%1 worker</source>
        <translation>%1 个 worker</translation>
    </message>
    <message>
        <source>%1 batch</source>
        <translation>%1 个 batch</translation>
    </message>
    <message>
        <source>%1 collective</source>
        <translation>%1 次集合通信</translation>
    </message>
    <message>
        <source>%1 group</source>
        <translation>%1 个组</translation>
    </message>
    <message>
        <source>%1 such item</source>
        <translation>%1 个这样的项</translation>
    </message>
    <message>
        <source>%1 slice</source>
        <translation>%1 个切片</translation>
    </message>
    <message>
        <source>%1 more group</source>
        <translation>另外 %1 组</translation>
    </message>
    <message>
        <source>%1 different stream</source>
        <translation>%1 个不同的随机流</translation>
    </message>
    <message>
        <source>%1 process</source>
        <translation>%1 个进程</translation>
    </message>
    <message>
        <source>%1 more step</source>
        <translation>多 %1 个 step</translation>
    </message>
    <message>
        <source>%1 fewer step</source>
        <translation>少 %1 个 step</translation>
    </message>
    <message>
        <source>%1 more sample</source>
        <translation>%1 个样本</translation>
    </message>
    <message>
        <source>%1 more item</source>
        <translation>%1 项</translation>
    </message>
    <message>
        <source>%1 place</source>
        <translation>%1 处</translation>
    </message>
    <message>
        <source>%1 second</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 note</source>
        <translation>%1 条提示</translation>
    </message>
    <message>
        <source>%1 primary sample</source>
        <translation>%1 个主样本</translation>
    </message>
    <message>
        <source>%1 secondary sample</source>
        <translation>%1 个次样本</translation>
    </message>
    <message>
        <source>%1 environment variable</source>
        <translation>%1 个环境变量</translation>
    </message>
    <message>
        <source>%1 pass</source>
        <translation>%1 遍</translation>
    </message>
    <message>
        <source>%1 more pass</source>
        <translation>另外 %1 遍</translation>
    </message>
    <message>
        <source>%1 attribute</source>
        <translation>%1 个属性</translation>
    </message>
    <message>
        <source>%1 combination</source>
        <translation>%1 种组合</translation>
    </message>
    <message>
        <source>%1 more rule</source>
        <translation>另外 %1 条规则</translation>
    </message>
    <message>
        <source>%1 32-bit output</source>
        <translation>%1 个 32 位输出</translation>
    </message>
    <message>
        <source>%1 optimizer step</source>
        <translation>%1 个优化器 step</translation>
    </message>
    <message>
        <source>%1 round</source>
        <translation>%1 轮</translation>
    </message>
</context>
<context>
    <name>design</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 default (%2)</source>
        <translation>%1 的默认值（%2）</translation>
    </message>
    <message>
        <source>the default (%1)</source>
        <translation>默认值（%1）</translation>
    </message>
    <message>
        <source>Unit: %1.</source>
        <translation>单位：%1。</translation>
    </message>
    <message>
        <source>This is %1.</source>
        <translation>这是%1。</translation>
    </message>
    <message>
        <source>Set here, instead of %1.</source>
        <translation>在此设置，代替%1。</translation>
    </message>
    <message>
        <source>Made up: %1.</source>
        <translation>自动生成：%1。</translation>
    </message>
    <message>
        <source>Drag the name to change it.</source>
        <translation>拖动名称可修改数值。</translation>
    </message>
    <message>
        <source>1 entry</source>
        <translation>1 条</translation>
    </message>
    <message>
        <source>%1 entries</source>
        <translation>%1 条</translation>
    </message>
    <message>
        <source>never seeded</source>
        <translation>从未设置种子</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%2 用 %1</translation>
    </message>
    <message>
        <source>%1 per epoch</source>
        <translation>每个 epoch %1</translation>
    </message>
    <message>
        <source>no padding</source>
        <translation>无填充</translation>
    </message>
    <message>
        <source>%1 padded</source>
        <translation>填充 %1</translation>
    </message>
    <message>
        <source>called</source>
        <translation>已调用</translation>
    </message>
    <message>
        <source>forgotten</source>
        <translation>未调用</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>unused: seeds.rule is unseeded</source>
        <translation>未使用：seeds.rule 为 unseeded</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>samples each</source>
        <translation>每个的样本数</translation>
    </message>
    <message>
        <source>tokens each</source>
        <translation>每个的 token 数</translation>
    </message>
    <message>
        <source>class of each</source>
        <translation>每个的类别</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>batches per optimizer step</source>
        <translation>每优化器 step 的 batch 数</translation>
    </message>
    <message>
        <source>batches per worker</source>
        <translation>每 worker 的 batch 数</translation>
    </message>
    <message>
        <source>ms per batch</source>
        <translation>毫秒/batch</translation>
    </message>
    <message>
        <source>ms per step</source>
        <translation>毫秒/step</translation>
    </message>
    <message>
        <source>world size %1</source>
        <translation>world size %1</translation>
    </message>
    <message>
        <source>per rank · global batch %1</source>
        <translation>每 rank · 全局 batch %1</translation>
    </message>
    <message>
        <source>world %1 (%2 × %3)</source>
        <translation>world %1（%2 × %3）</translation>
    </message>
    <message>
        <source>global batch %1</source>
        <translation>全局 batch %1</translation>
    </message>
    <message>
        <source>padded %1</source>
        <translation>填充 %1</translation>
    </message>
    <message>
        <source>dropped %1</source>
        <translation>丢弃 %1</translation>
    </message>
    <message>
        <source>counting the steps</source>
        <translation>正在统计 step 数</translation>
    </message>
    <message>
        <source>under 1 ms</source>
        <translation>&lt; 1 ms</translation>
    </message>
    <message>
        <source>plan in %1 · exact: torch %2</source>
        <translation>计划用时 %1 · 精确对应 torch %2</translation>
    </message>
    <message>
        <source>node, local rank</source>
        <translation>节点、local rank</translation>
    </message>
    <message>
        <source>main process</source>
        <translation>主进程</translation>
    </message>
    <message>
        <source>worker %1</source>
        <translation>worker %1</translation>
    </message>
    <message>
        <source>%1 (seed %2)</source>
        <translation>%1（种子 %2）</translation>
    </message>
    <message>
        <source>%1, stride %2</source>
        <translation>%1，步长 %2</translation>
    </message>
    <message>
        <source>rank %1 · epoch %2 · step %3</source>
        <translation>rank %1 · epoch %2 · step %3</translation>
    </message>
    <message>
        <source>Rank %1 has no batch at this step: it takes %2 in this epoch.</source>
        <translation>rank %1 在这个 step 没有 batch：它在此 epoch 共 %2。</translation>
    </message>
    <message>
        <source>loader worker</source>
        <translation>加载 worker</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>batch</translation>
    </message>
    <message>
        <source>positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>fingerprint</source>
        <translation>指纹</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>seed of worker %1</source>
        <translation>worker %1 的种子</translation>
    </message>
    <message>
        <source>rank %1 · epoch %2</source>
        <translation>rank %1 · epoch %2</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>batch 数</translation>
    </message>
    <message>
        <source>padding items</source>
        <translation>填充项</translation>
    </message>
    <message>
        <source>items dropped by the loader</source>
        <translation>加载器丢弃的项</translation>
    </message>
    <message>
        <source>ranks %1 and %2 · epoch %3</source>
        <translation>rank %1 和 %2 · epoch %3</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>node %1, local rank %2</source>
        <translation>节点 %1，local rank %2</translation>
    </message>
    <message>
        <source>epoch %1, all %2</source>
        <translation>epoch %1，全部 %2</translation>
    </message>
    <message>
        <source>epoch %1, both ranks</source>
        <translation>epoch %1，两个 rank</translation>
    </message>
    <message>
        <source>epoch %1, the only rank</source>
        <translation>epoch %1，唯一的 rank</translation>
    </message>
    <message>
        <source>handed out</source>
        <translation>已分发</translation>
    </message>
    <message>
        <source>seen</source>
        <translation>已读到</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>never seen</source>
        <translation>从未读到</translation>
    </message>
    <message>
        <source>more than once</source>
        <translation>多于一次</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>epoch order</source>
        <translation>epoch 顺序</translation>
    </message>
    <message>
        <source>%1 in memory</source>
        <translation>占内存 %1</translation>
    </message>
    <message>
        <source>prefetched per rank</source>
        <translation>每 rank 预取</translation>
    </message>
    <message>
        <source>samples %1 to %2</source>
        <translation>样本 %1 至 %2</translation>
    </message>
    <message>
        <source>in the dataset</source>
        <translation>在数据集中</translation>
    </message>
    <message>
        <source>%1 from id %2 on</source>
        <translation>从 id %2 起的 %1</translation>
    </message>
    <message>
        <source>Choose one to see where it goes in each epoch.</source>
        <translation>选择一个样本，查看它在每个 epoch 的去向。</translation>
    </message>
    <message>
        <source>rank %1 worker %2</source>
        <translation>rank %1 worker %2</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>No process has this seed in the epochs that were audited.</source>
        <translation>在已审计的 epoch 中，没有进程使用这个种子。</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>epoch</translation>
    </message>
    <message>
        <source>processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>held by</source>
        <translation>使用者</translation>
    </message>
    <message>
        <source>And %1 more.</source>
        <translation>另有 %1 个。</translation>
    </message>
    <message>
        <source>sample %1</source>
        <translation>样本 %1</translation>
    </message>
    <message>
        <source>The dataset has no such sample: ids go from 0 to %1.</source>
        <translation>数据集中没有这个样本：id 从 0 到 %1。</translation>
    </message>
    <message>
        <source>%1 of %2 also goes to %3 in this epoch.</source>
        <translation>%2中有 %1 个在此 epoch 还分给了 %3。</translation>
    </message>
    <message>
        <source>%1 of %2 also go to %3 in this epoch.</source>
        <translation>%2中有 %1 个在此 epoch 还分给了 %3。</translation>
    </message>
    <message>
        <source>They share no sample in this epoch.</source>
        <translation>它们在此 epoch 没有共享样本。</translation>
    </message>
    <message>
        <source>They share %1 in this epoch.</source>
        <translation>它们在此 epoch 共享 %1。</translation>
    </message>
    <message>
        <source>Read %1 in %2</source>
        <translation>%2 中读取 %1</translation>
    </message>
    <message>
        <source>as padding %1</source>
        <translation>作为填充 %1</translation>
    </message>
    <message>
        <source>left out of %1</source>
        <translation>有 %1 未读到</translation>
    </message>
    <message>
        <source>dropped by the loader %1</source>
        <translation>被加载器丢弃 %1</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>main</source>
        <translation>主进程</translation>
    </message>
    <message>
        <source>%1 pad</source>
        <translation>%1 填充</translation>
    </message>
    <message>
        <source>epoch %1: in no batch</source>
        <translation>epoch %1：不在任何 batch 中</translation>
    </message>
    <message>
        <source>epoch %1: rank %2</source>
        <translation>epoch %1：rank %2</translation>
    </message>
    <message>
        <source>%1, dropped by the loader</source>
        <translation>%1，被加载器丢弃</translation>
    </message>
    <message>
        <source>%1, step %2, place %3 in the batch</source>
        <translation>%1，step %2，batch 中第 %3 位</translation>
    </message>
    <message>
        <source>%1, loaded by the main process</source>
        <translation>%1，由主进程加载</translation>
    </message>
    <message>
        <source>%1, loaded by worker %2</source>
        <translation>%1，由 worker %2 加载</translation>
    </message>
    <message>
        <source>%1, as padding</source>
        <translation>%1，作为填充</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>step</source>
        <translation>step</translation>
    </message>
    <message>
        <source>worker</source>
        <translation>worker</translation>
    </message>
    <message>
        <source>place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>whole numbers</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>数</translation>
    </message>
    <message>
        <source>%1 of at least %2</source>
        <translation>不小于 %2 的 %1</translation>
    </message>
    <message>
        <source>%1 from %2 to %3</source>
        <translation>%2 到 %3 的 %1</translation>
    </message>
    <message>
        <source>no items</source>
        <translation>没有项</translation>
    </message>
    <message>
        <source>%1, all %2</source>
        <translation>%1，均为 %2</translation>
    </message>
    <message>
        <source>%1, from %2 to %3</source>
        <translation>%1，从 %2 到 %3</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 条</translation>
    </message>
    <message>
        <source>%1 To fix it, %2</source>
        <translation>%1 修复方法：%2</translation>
    </message>
    <message>
        <source>%1, one for each of %2</source>
        <translation>%1，对应 %2每个一项</translation>
    </message>
    <message>
        <source>%1, or %2</source>
        <translation>%1，或 %2</translation>
    </message>
    <message>
        <source>needs %1</source>
        <translation>需要：%1</translation>
    </message>
    <message>
        <source>evaluation</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>Both ranks read the whole dataset.</source>
        <translation>两个 rank 都读取了整个数据集。</translation>
    </message>
    <message>
        <source>Both ranks read %1.</source>
        <translation>两个 rank 都读取了 %1。</translation>
    </message>
    <message>
        <source>A rank reads %1 again.</source>
        <translation>有 rank 重复读取 %1。</translation>
    </message>
    <message>
        <source>No rank reads %1.</source>
        <translation>有 %1没有被任何 rank 读取。</translation>
    </message>
    <message>
        <source>Each sample is read once.</source>
        <translation>每个样本恰好读取一次。</translation>
    </message>
    <message>
        <source>Filled up with %1.</source>
        <translation>用 %1补齐。</translation>
    </message>
    <message>
        <source>edit the list…</source>
        <translation>编辑列表…</translation>
    </message>
    <message>
        <source>add an entry</source>
        <translation>添加一条</translation>
    </message>
    <message>
        <source>The line is full. Copy the whole list and paste it here.</source>
        <translation>此行已满。请复制整个列表后粘贴到这里。</translation>
    </message>
    <message>
        <source>make one up</source>
        <translation>自动生成</translation>
    </message>
    <message>
        <source>%1: make one up</source>
        <translation>%1：自动生成</translation>
    </message>
    <message>
        <source>Fills in what the sampler needs: halves of the dataset, ten classes, lengths</source>
        <translation>填入采样器所需的内容：数据集的两半、十个类别、长度</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Fix: %1</source>
        <translation>修复：%1</translation>
    </message>
    <message>
        <source>Or: %1</source>
        <translation>或者：%1</translation>
    </message>
    <message>
        <source>Effect: %1</source>
        <translation>影响：%1</translation>
    </message>
    <message>
        <source>no problems in what is known</source>
        <translation>已知部分没有问题</translation>
    </message>
    <message>
        <source>no problems</source>
        <translation>没有问题</translation>
    </message>
    <message>
        <source>There is no plan</source>
        <translation>没有计划</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>findings</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>%1 fields</source>
        <translation>%1 字段</translation>
    </message>
    <message>
        <source>Show these fields</source>
        <translation>显示这些字段</translation>
    </message>
    <message>
        <source>Hide these fields</source>
        <translation>隐藏这些字段</translation>
    </message>
    <message>
        <source>Design</source>
        <translation>设计</translation>
    </message>
    <message>
        <source>examples of the lists</source>
        <translation>列表示例</translation>
    </message>
    <message>
        <source>change to %1</source>
        <translation>修改 %1</translation>
    </message>
    <message>
        <source>%1, padding</source>
        <translation>%1，填充</translation>
    </message>
    <message>
        <source>%1, another rank gets it in this epoch too</source>
        <translation>%1，此 epoch 中另一个 rank 也会得到它</translation>
    </message>
    <message>
        <source>Click a batch on the Stage, a rank, or a cell of Overlap to see what is in it.</source>
        <translation>点击分配图中的 batch、某个 rank 或重叠图的单元格，查看其内容。</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>What was selected before (Alt+Left)</source>
        <translation>上一个选择（Alt+Left）</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>What was selected before going back (Alt+Right)</source>
        <translation>后退之前的选择（Alt+Right）</translation>
    </message>
    <message>
        <source>inspector</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>find in all epochs</source>
        <translation>在所有 epoch 中查找</translation>
    </message>
    <message>
        <source>show its batch</source>
        <translation>显示所在 batch</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>+ %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>Copy as YAML</source>
        <translation>复制为 YAML</translation>
    </message>
    <message>
        <source>Copy sample ids as CSV</source>
        <translation>将样本 id 复制为 CSV</translation>
    </message>
    <message>
        <source>Copy command line</source>
        <translation>复制命令行</translation>
    </message>
    <message>
        <source>stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop the search</source>
        <translation>停止查找</translation>
    </message>
    <message>
        <source>Places of the sample by epoch</source>
        <translation>样本在各 epoch 的位置</translation>
    </message>
    <message>
        <source>Edit %1</source>
        <translation>编辑 %1</translation>
    </message>
    <message>
        <source>Takes %1.</source>
        <translation>可填写：%1。</translation>
    </message>
    <message>
        <source>From a file…</source>
        <translation>从文件读取…</translation>
    </message>
    <message>
        <source>Text with ranges, CSV, a one-dimensional .npy array, or a JSON list of numbers</source>
        <translation>带区间的文本、CSV、一维 .npy 数组或 JSON 数字列表</translation>
    </message>
    <message>
        <source>Column of the table</source>
        <translation>表格的列</translation>
    </message>
    <message>
        <source>Type instead</source>
        <translation>改为手动输入</translation>
    </message>
    <message>
        <source>Reading the list</source>
        <translation>正在读取列表</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>What is wrong in the list</source>
        <translation>列表中的问题</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Use this list</source>
        <translation>使用此列表</translation>
    </message>
    <message>
        <source>The list is too long to show as text. What you type or paste here takes its place.</source>
        <translation>列表过长，无法以文本显示。在此输入或粘贴的内容将替换它。</translation>
    </message>
    <message>
        <source>Read a list from a file</source>
        <translation>从文件读取列表</translation>
    </message>
    <message>
        <source>Lists (*.txt *.csv *.tsv *.npy *.json);;All files (*)</source>
        <translation>列表 (*.txt *.csv *.tsv *.npy *.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Stopped: no list was read.</source>
        <translation>已停止：没有读取列表。</translation>
    </message>
    <message>
        <source>remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Choose a sampler</source>
        <translation>选择采样器</translation>
    </message>
    <message>
        <source>Search %1 samplers by name, framework or purpose</source>
        <translation>按名称、框架或用途搜索 %1 个采样器</translation>
    </message>
    <message>
        <source>Search samplers</source>
        <translation>搜索采样器</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>needs no lists</source>
        <translation>无需列表</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close and change nothing (Esc)</source>
        <translation>关闭，不做修改（Esc）</translation>
    </message>
    <message>
        <source>Use this sampler</source>
        <translation>使用此采样器</translation>
    </message>
    <message>
        <source>↑ ↓ choose · Tab frameworks · Enter use · Esc close</source>
        <translation>↑ ↓ 选择 · Tab 切换框架 · Enter 使用 · Esc 关闭</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Use my own lists…</source>
        <translation>使用自己的列表…</translation>
    </message>
    <message>
        <source>Use this sampler and enter its lists: type them, paste them or read them from a file</source>
        <translation>使用此采样器并填写列表：输入、粘贴或从文件读取</translation>
    </message>
    <message>
        <source>Preview: epoch 0 of 16 samples on 2 ranks</source>
        <translation>预览：2 个 rank、16 个样本的 epoch 0</translation>
    </message>
    <message>
        <source>No sampler matches these words</source>
        <translation>没有匹配的采样器</translation>
    </message>
    <message>
        <source>Cannot be planned</source>
        <translation>无法生成计划</translation>
    </message>
    <message>
        <source>Made up for this: %1.</source>
        <translation>为此自动生成：%1。</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>Samplers</source>
        <translation>采样器</translation>
    </message>
    <message>
        <source>Frameworks</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>All frameworks</source>
        <translation>所有框架</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>divides among ranks</source>
        <translation>在各 rank 之间切分</translation>
    </message>
    <message>
        <source>all on every rank</source>
        <translation>每个 rank 读取全部</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>fine</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Searching %1…</source>
        <translation>正在查找 %1…</translation>
    </message>
    <message>
        <source>Stopped after %1 of %2.</source>
        <translation>已停止：查找了 %2 中的 %1 个。</translation>
    </message>
    <message>
        <source>per rank</source>
        <translation>每 rank</translation>
    </message>
    <message>
        <source>Set here. Reset to %1</source>
        <translation>已在此设置。恢复为%1</translation>
    </message>
    <message>
        <source>Reset %1 to %2</source>
        <translation>将 %1 恢复为%2</translation>
    </message>
    <message>
        <source>use my own…</source>
        <translation>使用自己的…</translation>
    </message>
    <message>
        <source>made up: %1</source>
        <translation>自动生成：%1</translation>
    </message>
    <message>
        <source>reading the list: %1 %</source>
        <translation>正在读取列表：%1 %</translation>
    </message>
    <message>
        <source>Reset to default (%1)</source>
        <translation>恢复默认值（%1）</translation>
    </message>
    <message>
        <source>Copy value</source>
        <translation>复制值</translation>
    </message>
    <message>
        <source>Copy field path</source>
        <translation>复制字段路径</translation>
    </message>
    <message>
        <source>%1 fine</source>
        <translation>%1 项正常</translation>
    </message>
    <message>
        <source>Both ranks read the dataset in its own order.</source>
        <translation>两个 rank 都按数据集自身的顺序读取全部样本。</translation>
    </message>
    <message>
        <source>Both ranks read one and the same order.</source>
        <translation>两个 rank 按同一顺序读取。</translation>
    </message>
    <message>
        <source>From the dataset in its own order, rank 0 takes the 1st, 3rd, 5th… sample and rank 1 the 2nd, 4th, 6th…</source>
        <translation>按数据集自身的顺序，rank 0 取第 1、3、5……个样本，rank 1 取第 2、4、6……个。</translation>
    </message>
    <message>
        <source>From one order for all ranks, rank 0 takes the 1st, 3rd, 5th… sample and rank 1 the 2nd, 4th, 6th…</source>
        <translation>所有 rank 共用一个顺序：rank 0 取第 1、3、5……个样本，rank 1 取第 2、4、6……个。</translation>
    </message>
    <message>
        <source>From the dataset in its own order, the ranks take %1 in turn.</source>
        <translation>按数据集自身的顺序，各 rank 轮流各取 %1。</translation>
    </message>
    <message>
        <source>From one order for all ranks, the ranks take %1 in turn.</source>
        <translation>所有 rank 共用一个顺序，轮流各取 %1。</translation>
    </message>
    <message>
        <source>The dataset is cut in two: rank 0 reads its first part, rank 1 the second.</source>
        <translation>数据集分成两段：rank 0 读第一段，rank 1 读第二段。</translation>
    </message>
    <message>
        <source>One order is cut in two: rank 0 reads its first part, rank 1 the second.</source>
        <translation>一个顺序分成两段：rank 0 读第一段，rank 1 读第二段。</translation>
    </message>
    <message>
        <source>Each rank reads its own places of one order.</source>
        <translation>每个 rank 读取同一顺序中属于自己的位置。</translation>
    </message>
    <message>
        <source>Each rank draws an order of its own, and the two have samples in common.</source>
        <translation>每个 rank 各自抽取一个顺序，两者有相同的样本。</translation>
    </message>
    <message>
        <source>Each rank draws an order of its own, and no sample is in both.</source>
        <translation>每个 rank 各自抽取一个顺序，没有相同的样本。</translation>
    </message>
    <message>
        <source>The sampler puts the samples of each rank together; some go to both.</source>
        <translation>由采样器为每个 rank 组合样本，有些样本两个 rank 都会得到。</translation>
    </message>
    <message>
        <source>The sampler puts the samples of each rank together; none goes to both.</source>
        <translation>由采样器为每个 rank 组合样本，没有样本会同时分给两个 rank。</translation>
    </message>
    <message>
        <source>How it deals: %1</source>
        <translation>如何分发：%1</translation>
    </message>
    <message>
        <source>Design form</source>
        <translation>设计表单</translation>
    </message>
    <message>
        <source>Planning</source>
        <translation>正在生成计划</translation>
    </message>
    <message>
        <source>Write numbers, ranges such as 0..9, repetitions such as 64 x 1000. A file is text, CSV, .npy or JSON.</source>
        <translation>可写数字、0..9 这样的范围、64 x 1000 这样的重复。文件可为文本、CSV、.npy 或 JSON。</translation>
    </message>
    <message>
        <source>seeds not known</source>
        <translation>种子未知</translation>
    </message>
    <message>
        <source>%1, in the short batch of worker %2, which the loader drops</source>
        <translation>%1，在 worker %2 的不足的 batch 中，被加载器丢弃</translation>
    </message>
    <message>
        <source>world %1 (%2)</source>
        <translation>world %1（%2）</translation>
    </message>
    <message>
        <source>dataset</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>world</source>
        <translation>并行规模</translation>
    </message>
    <message>
        <source>loader</source>
        <translation>加载器</translation>
    </message>
    <message>
        <source>sampler</source>
        <translation>采样器</translation>
    </message>
    <message>
        <source>seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>How many samples there are is not known.</source>
        <translation>样本数未知。</translation>
    </message>
    <message>
        <source>Type it: nothing is counted before.</source>
        <translation>请输入：在此之前不作任何计数。</translation>
    </message>
    <message>
        <source>of all ranks · global batch %1</source>
        <translation>所有 rank 合计 · 全局批 %1</translation>
    </message>
</context>
<context>
    <name>examples</name>
    <message>
        <source>drop_last drops data</source>
        <translation>drop_last 丢弃数据</translation>
    </message>
    <message>
        <source>Ten samples in batches of three, and the loader drops a short last batch.</source>
        <translation>十个样本，batch 大小为三，加载器丢弃不满的最后一个 batch。</translation>
    </message>
    <message>
        <source>three batches; sample 9 is never read, and with a fixed order it is the same sample in every epoch.</source>
        <translation>只有三个 batch；样本 9 从未被读取，顺序固定时每个 epoch 丢的都是它。</translation>
    </message>
    <message>
        <source>The last batch is short</source>
        <translation>最后一个 batch 不满</translation>
    </message>
    <message>
        <source>Ten samples in batches of three; the loader keeps the short last batch.</source>
        <translation>十个样本，batch 大小为三；加载器保留不满的最后一个 batch。</translation>
    </message>
    <message>
        <source>four batches, the last one short: [0, 1, 2], [3, 4, 5], [6, 7, 8], [9].</source>
        <translation>四个 batch，最后一个不满：[0, 1, 2]、[3, 4, 5]、[6, 7, 8]、[9]。</translation>
    </message>
    <message>
        <source>set_epoch forgotten</source>
        <translation>忘记调用 set_epoch</translation>
    </message>
    <message>
        <source>The script forgets sampler.set_epoch(epoch), so every epoch repeats the order of epoch 0.</source>
        <translation>脚本忘记调用 sampler.set_epoch(epoch)，因此每个 epoch 都重复 epoch 0 的顺序。</translation>
    </message>
    <message>
        <source>epoch 1 has exactly the batches of epoch 0; the model only ever sees one order.</source>
        <translation>epoch 1 的 batch 与 epoch 0 完全相同；模型始终只看到一种顺序。</translation>
    </message>
    <message>
        <source>A plan that is right</source>
        <translation>正确的计划</translation>
    </message>
    <message>
        <source>Two ranks share 16 samples through DistributedSampler: each sample is read once per epoch, in a new order every time.</source>
        <translation>两个 rank 通过 DistributedSampler 分享 16 个样本：每个 epoch 每个样本恰好读取一次，且每次顺序都不同。</translation>
    </message>
    <message>
        <source>rank 0 gets [12, 9], [11, 13], [2, 15], [4, 7] in epoch 0, and every sample is covered exactly once.</source>
        <translation>在 epoch 0，rank 0 得到 [12, 9]、[11, 13]、[2, 15]、[4, 7]，每个样本恰好覆盖一次。</translation>
    </message>
    <message>
        <source>Padding in evaluation</source>
        <translation>评估中的填充</translation>
    </message>
    <message>
        <source>50,000 validation images on 64 GPUs: DistributedSampler makes the shares equal by repeating the first 48 images.</source>
        <translation>50,000 张验证图片、64 块 GPU：DistributedSampler 重复最前面的 48 张图片使各份相等。</translation>
    </message>
    <message>
        <source>48 images are counted twice, so the accuracy depends on the number of GPUs; the hatched cells are padding.</source>
        <translation>48 张图片被计算两次，准确率因此取决于 GPU 数量；带斜线的单元格是填充。</translation>
    </message>
    <message>
        <source>Workers read the same stream</source>
        <translation>worker 读取同一个流</translation>
    </message>
    <message>
        <source>An IterableDataset that checks neither its rank nor its worker: every copy reads the whole stream.</source>
        <translation>IterableDataset 既不检查 rank 也不检查 worker：每个副本都读取整个流。</translation>
    </message>
    <message>
        <source>two ranks with two workers each read every sample four times; the fix divides the stream among them.</source>
        <translation>两个 rank、各两个 worker，每个样本读取四次；修复方法是在它们之间切分数据流。</translation>
    </message>
    <message>
        <source>No DistributedSampler</source>
        <translation>没有 DistributedSampler</translation>
    </message>
    <message>
        <source>A script for one GPU, started on four: every rank shuffles the whole dataset, and one seed gives all the same order.</source>
        <translation>为单 GPU 编写的脚本在四块 GPU 上启动：每个 rank 都打乱整个数据集，而相同的种子使顺序完全相同。</translation>
    </message>
    <message>
        <source>all ranks share all 96 samples, so four GPUs do the work of one; the fix divides the samples among them.</source>
        <translation>所有 rank 共享全部 96 个样本，四块 GPU 只做了一块的工作；修复方法是在它们之间切分样本。</translation>
    </message>
    <message>
        <source>Seeds repeat on every node</source>
        <translation>种子在每个节点上重复</translation>
    </message>
    <message>
        <source>Every rank shuffles for itself after torch.manual_seed(42 + local_rank): on two nodes each local rank exists twice.</source>
        <translation>每个 rank 在 torch.manual_seed(42 + local_rank) 之后自行打乱：两个节点上每个 local rank 都出现两次。</translation>
    </message>
    <message>
        <source>ranks 0 and 4, 1 and 5, 2 and 6, 3 and 7 draw the same batches, and their workers the same augmentation.</source>
        <translation>rank 0 和 4、1 和 5、2 和 6、3 和 7 抽到相同的 batch，它们的 worker 数据增强也相同。</translation>
    </message>
    <message>
        <source>One seed for every rank</source>
        <translation>所有 rank 同一个种子</translation>
    </message>
    <message>
        <source>Every rank calls torch.manual_seed(0). The sampler deals different samples, but random augmentation follows the seed.</source>
        <translation>每个 rank 都调用 torch.manual_seed(0)。采样器分发的样本不同，但随机数据增强由种子决定。</translation>
    </message>
    <message>
        <source>in the seeds table, worker 0 has the same seed on every rank, and so has worker 1.</source>
        <translation>在种子表中，每个 rank 的 worker 0 种子都相同，worker 1 也是如此。</translation>
    </message>
    <message>
        <source>local_rank passed as rank</source>
        <translation>把 local_rank 当作 rank</translation>
    </message>
    <message>
        <source>DistributedSampler was given num_replicas=4 and rank=local_rank, right on one node and wrong on two.</source>
        <translation>DistributedSampler 得到 num_replicas=4 和 rank=local_rank，单节点时正确，两个节点时错误。</translation>
    </message>
    <message>
        <source>ranks 0 and 4, 1 and 5, 2 and 6, 3 and 7 read the same slices, so an epoch reads every sample twice.</source>
        <translation>rank 0 和 4、1 和 5、2 和 6、3 和 7 读取相同的切片，因此一个 epoch 中每个样本读取两次。</translation>
    </message>
    <message>
        <source>One slow rank</source>
        <translation>一个慢 rank</translation>
    </message>
    <message>
        <source>ranks 0, 1 and 3 wait in the all-reduce for rank 2, which is named as the straggler; 40 steps take about 5 s.</source>
        <translation>rank 0、1 和 3 在 all-reduce 中等待 rank 2，它被指为拖慢者；40 个 step 约需 5 s。</translation>
    </message>
    <message>
        <source>Two streams on every rank</source>
        <translation>每个 rank 上都有两个流</translation>
    </message>
    <message>
        <source>The two-stream batch sampler of semi-supervised code knows nothing of ranks: a batch has one labelled sample and three others.</source>
        <translation>半监督代码中的双流 batch 采样器不知道 rank 的存在：一个 batch 有一个带标签的样本和三个其他样本。</translation>
    </message>
    <message>
        <source>with one seed, every rank draws the same batches; the fix is the two-stream sampler for several ranks.</source>
        <translation>种子相同时，每个 rank 抽到相同的 batch；修复方法是使用支持多 rank 的双流采样器。</translation>
    </message>
    <message>
        <source>Uneven shards hang</source>
        <translation>shard 不均导致卡死</translation>
    </message>
    <message>
        <source>Nine tar files on four ranks: some ranks get more files than others, and the last files are short.</source>
        <translation>四个 rank 读九个 tar 文件：有的 rank 文件更多，且最后几个文件较短。</translation>
    </message>
    <message>
        <source>rank 3 runs out of batches first, and the others wait for it in the all-reduce until the timeout.</source>
        <translation>rank 3 最先用完 batch，其他 rank 在 all-reduce 中等待它直到超时。</translation>
    </message>
    <message>
        <source>Accelerate divides twice</source>
        <translation>Accelerate 划分两次</translation>
    </message>
    <message>
        <source>The script keeps its DistributedSampler, and accelerator.prepare() divides the batches among the processes once more.</source>
        <translation>脚本保留了 DistributedSampler，而 accelerator.prepare() 又把 batch 在进程间划分一次。</translation>
    </message>
    <message>
        <source>72 of 96 samples are never read in an epoch, without a warning; the fix leaves the sampler out.</source>
        <translation>每个 epoch 中 96 个样本有 72 个从未被读取，且没有警告；修复方法是去掉该采样器。</translation>
    </message>
    <message>
        <source>Four ranks run in step, and rank 2 is deliberately slowed by 60 ms in every step. Launch a stand-in.</source>
        <translation>四个 rank 同步运行，rank 2 被故意在每个 step 减速 60 ms。请启动模拟作业。</translation>
    </message>
    <message>
        <source>All ranks add up: [1, 2] + [3, 4] = [4, 6]</source>
        <translation>所有 rank 求和：[1, 2] + [3, 4] = [4, 6]</translation>
    </message>
    <message>
        <source>Two ranks hold [1, 2] and [3, 4]. An all-reduce adds them up round a ring, so that both have the sum.</source>
        <translation>两个 rank 分别持有 [1, 2] 和 [3, 4]。all-reduce 沿环把它们相加，两者都得到和。</translation>
    </message>
    <message>
        <source>Rank 0 downloads, the others wait</source>
        <translation>rank 0 下载，其余 rank 等待</translation>
    </message>
    <message>
        <source>The right way to prepare a dataset once: the other ranks wait in a barrier, which rank 0 calls when it is done.</source>
        <translation>只准备一次数据集的正确做法：其余 rank 在 barrier 中等待，rank 0 准备完后调用它。</translation>
    </message>
    <message>
        <source>`shardlens rehearse` sees every rank get through; without the third phase of the schedule, ranks 1 to 3 would wait for ever.</source>
        <translation>`shardlens rehearse` 看到每个 rank 都能完成；若没有 schedule 的第三个阶段，rank 1 到 3 会一直等待。</translation>
    </message>
    <message>
        <source>The mean of [1, 2] and [3, 4] is [2, 3]</source>
        <translation>[1, 2] 与 [3, 4] 的平均是 [2, 3]</translation>
    </message>
    <message>
        <source>Data-parallel training averages the gradients of its ranks: an all-reduce adds them up, and each rank divides by their number.</source>
        <translation>数据并行训练对各 rank 的梯度取平均：all-reduce 求和，每个 rank 再除以 rank 数。</translation>
    </message>
    <message>
        <source>the tab All-reduce divides after the last round; `shardlens rehearse` says why `/=` fails on whole numbers.</source>
        <translation>“All-reduce”标签页在最后一轮之后做除法；`shardlens rehearse` 说明 `/=` 为什么不能用于整数。</translation>
    </message>
    <message>
        <source>First A on rank 0, then B on all</source>
        <translation>先在 rank 0 上做 A，再在所有 rank 上做 B</translation>
    </message>
    <message>
        <source>Rank 0 does its part, all ranks meet in a barrier, and only then does anybody begin the next part.</source>
        <translation>rank 0 先做它的部分，所有 rank 在 barrier 中会合，之后才开始下一部分。</translation>
    </message>
    <message>
        <source>no rank reaches schedule[2] before rank 0 has left schedule[0]: the lanes of the others wait in the barrier.</source>
        <translation>在 rank 0 离开 schedule[0] 之前，没有 rank 到达 schedule[2]：其余 rank 的时间线停在 barrier 中。</translation>
    </message>
    <message>
        <source>Tensor peers read different samples</source>
        <translation>张量并行的同伴读到不同的样本</translation>
    </message>
    <message>
        <source>Two ranks hold each copy of the model and must read the same batches, but the sampler divides the samples among all ranks.</source>
        <translation>每份模型由两个 rank 共同持有，必须读取相同的 batch，采样器却把样本分给了所有 rank。</translation>
    </message>
    <message>
        <source>ranks 0 and 1 are tensor peers and read different batches; the fix divides by the place among the copies.</source>
        <translation>rank 0 和 1 是张量并行的同伴，却读取不同的 batch；修复改为按模型副本的位置来划分。</translation>
    </message>
    <message>
        <source>A barrier that one rank never reaches</source>
        <translation>有一个 rank 永远到不了的 barrier</translation>
    </message>
    <message>
        <source>The first rank prepares the dataset while the others wait for it in a barrier, which it does not call when it is done.</source>
        <translation>第一个 rank 准备数据集，其余 rank 在 barrier 中等它；它准备完却没有调用这个 barrier。</translation>
    </message>
    <message>
        <source>ranks 1 to 3 wait at the start for ever, and rank 0 waits for them in the first all-reduce; the fix lets it call the barrier.</source>
        <translation>rank 1 到 3 在开始处一直等待，rank 0 在第一个 all-reduce 中等它们；修复后它也调用这个 barrier。</translation>
    </message>
    <message>
        <source>the tab All-reduce shows what each rank sends in each of the two rounds of a ring; `shardlens rehearse` says that both real ranks had the predicted [4, 6].</source>
        <translation>“All-reduce”标签页显示环形的两轮中每个 rank 各发送什么；`shardlens rehearse` 说明两个真实的 rank 都得到了预测的 [4, 6]。</translation>
    </message>
</context>
<context>
    <name>export</name>
    <message>
        <source>Lightning CLI</source>
        <translation>Lightning CLI 配置</translation>
    </message>
    <message>
        <source>trainer, seed and data module settings for `train.py fit --config`.</source>
        <translation>用于 `train.py fit --config` 的 trainer、种子和 data module 设置。</translation>
    </message>
    <message>
        <source>Open MPI script</source>
        <translation>Open MPI 脚本</translation>
    </message>
    <message>
        <source>A bash script for mpirun, and its hostfile.</source>
        <translation>用于 mpirun 的 bash 脚本及其 hostfile。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a host name.</source>
        <translation>“%1”不是主机名。</translation>
    </message>
    <message>
        <source>give one name or address per node</source>
        <translation>请为每个节点提供一个名称或地址</translation>
    </message>
    <message>
        <source>PyTorch snippet</source>
        <translation>PyTorch 代码片段</translation>
    </message>
    <message>
        <source>ShardLens spec</source>
        <translation>ShardLens spec 文件</translation>
    </message>
    <message>
        <source>The whole spec in its canonical form.</source>
        <translation>规范形式的完整 spec。</translation>
    </message>
    <message>
        <source>torchrun script</source>
        <translation>torchrun 脚本</translation>
    </message>
    <message>
        <source>A bash script that starts the training script on every rank with torchrun.</source>
        <translation>用 torchrun 在每个 rank 上启动训练脚本的 bash 脚本。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>dataset.size %1: the size of the script&apos;s own dataset counts; with another size every order is different.</source>
        <translation>dataset.size %1：以脚本自己的数据集大小为准；大小不同则所有顺序都不同。</translation>
    </message>
    <message>
        <source>loader.batch_size %1: the file has %2 instead, what a rank takes of %3 in an optimizer step.</source>
        <translation>loader.batch_size %1：文件中改为 %2，即一个优化器 step 中每个 rank 从 %3 取用的数量。</translation>
    </message>
    <message>
        <source>loader.batch_size %1: the file has %2 of all ranks instead, of which each takes %3 in an optimizer step.</source>
        <translation>loader.batch_size %1：文件中改为所有 rank 合计的 %2，一个优化器 step 中每个 rank 从中取用 %3。</translation>
    </message>
    <message>
        <source>loader.gradient_accumulation_steps %1: not used, because %2 says how much an optimizer step takes.</source>
        <translation>loader.gradient_accumulation_steps %1：不使用，因为 %2 说明了一个优化器 step 取用多少。</translation>
    </message>
    <message>
        <source>framework.torch %1: the job uses the installed torch.</source>
        <translation>framework.torch %1：作业使用已安装的 torch。</translation>
    </message>
    <message>
        <source>sampler.set_epoch true: nothing that is exported calls it; the script itself must call set_epoch(epoch) before each epoch, or its later epochs are not as planned.</source>
        <translation>sampler.set_epoch true：导出的内容都不会调用它；脚本必须自己在每个 epoch 之前调用 set_epoch(epoch)，否则之后的 epoch 与计划不符。</translation>
    </message>
    <message>
        <source>%1: only ShardLens&apos;s own rank programs read this.</source>
        <translation>%1：只有 ShardLens 自己的 rank 程序会读取。</translation>
    </message>
    <message>
        <source>%1 has no option for this; %2</source>
        <translation>%1 没有对应的选项；%2</translation>
    </message>
    <message>
        <source>the file has no key for this; build the loader in train_dataloader() and seed in the script: %1</source>
        <translation>文件没有对应的键；请在 train_dataloader() 中构建加载器，并在脚本中设置种子：%1</translation>
    </message>
    <message>
        <source>the snippet cannot include this.</source>
        <translation>代码片段无法包含此项。</translation>
    </message>
    <message>
        <source>%1 must set this, as the code of the target pytorch does.</source>
        <translation>%1 必须设置它，如同目标 pytorch 的代码那样。</translation>
    </message>
    <message>
        <source>sampler.set_epoch false: Lightning calls set_epoch itself, so with Lightning every epoch gets a new order.</source>
        <translation>sampler.set_epoch false：Lightning 会自己调用 set_epoch，因此使用 Lightning 时每个 epoch 都有新的顺序。</translation>
    </message>
    <message>
        <source>The seeds of the loader&apos;s workers: the Lightning CLI seeds with workers=True, so the workers follow Lightning&apos;s rule instead of torch&apos;s base_seed + worker_id.</source>
        <translation>加载器 worker 的种子：Lightning CLI 以 workers=True 设置种子，因此 worker 遵循 Lightning 的规则，而不是 torch 的 base_seed + worker_id。</translation>
    </message>
    <message>
        <source>Python code that builds the same DataLoader, seeds and epochs; by the package shardlens where torch has no such sampler.</source>
        <translation>构建相同 DataLoader、种子和 epoch 的 Python 代码；torch 没有该采样器时通过 shardlens 包实现。</translation>
    </message>
    <message>
        <source>--%1 %2 cannot be written into the files.</source>
        <translation>--%1 %2 无法写入这些文件。</translation>
    </message>
    <message>
        <source>--host %1 contains an empty name.</source>
        <translation>--host %1 含有空的名称。</translation>
    </message>
    <message>
        <source>name each node</source>
        <translation>为每个节点命名</translation>
    </message>
    <message>
        <source>script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>training script in start commands</source>
        <translation>启动命令中的训练脚本</translation>
    </message>
    <message>
        <source>interpreter</source>
        <translation>解释器</translation>
    </message>
    <message>
        <source>Python interpreter in start commands</source>
        <translation>启动命令中的 Python 解释器</translation>
    </message>
    <message>
        <source>data module</source>
        <translation>数据模块</translation>
    </message>
    <message>
        <source>class_path of the Lightning data module</source>
        <translation>Lightning 数据模块的 class_path</translation>
    </message>
    <message>
        <source>hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>names of the nodes, separated by commas, node 0 first</source>
        <translation>各节点的名称，以逗号分隔，节点 0 在前</translation>
    </message>
    <message>
        <source>partition</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>Slurm partition</source>
        <translation>Slurm 分区</translation>
    </message>
    <message>
        <source>account</source>
        <translation>账户</translation>
    </message>
    <message>
        <source>Slurm account</source>
        <translation>Slurm 账户</translation>
    </message>
    <message>
        <source>time limit</source>
        <translation>时间限制</translation>
    </message>
    <message>
        <source>time limit as Slurm writes it, for example 2-00:00:00</source>
        <translation>按 Slurm 的写法给出的时间限制，例如 2-00:00:00</translation>
    </message>
    <message>
        <source>GPUs per node</source>
        <translation>每节点 GPU 数</translation>
    </message>
    <message>
        <source>GPUs of each node; 0 for none; without it nothing is said of GPUs</source>
        <translation>每个节点的 GPU 数；0 表示没有；不填则不提及 GPU</translation>
    </message>
    <message>
        <source>image</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>container image</source>
        <translation>容器镜像</translation>
    </message>
    <message>
        <source>use letters, digits and . _ - : / @ + , =</source>
        <translation>请使用字母、数字和 . _ - : / @ + , =</translation>
    </message>
    <message>
        <source>give a whole number, 0 or more</source>
        <translation>请给出不小于 0 的整数</translation>
    </message>
    <message>
        <source>write it on one line</source>
        <translation>请写在一行内</translation>
    </message>
    <message>
        <source>%1 has no key for this; %2</source>
        <translation>%1 没有对应的键；%2</translation>
    </message>
    <message>
        <source>the Trainer makes its own loader unless get_train_dataloader() returns another, for example the one of the target pytorch.</source>
        <translation>Trainer 会自己创建加载器，除非 get_train_dataloader() 返回另一个，例如目标 pytorch 中的那个。</translation>
    </message>
    <message>
        <source>with --dataloader-type external, the script provides the loader, for example the one of the target pytorch.</source>
        <translation>使用 --dataloader-type external 时，由脚本提供加载器，例如目标 pytorch 中的那个。</translation>
    </message>
    <message>
        <source>The name of the first machine: main_process_ip is node0; replace it with yours.</source>
        <translation>第一台机器的名称：main_process_ip 写的是 node0；请换成你自己的名称。</translation>
    </message>
    <message>
        <source>accelerator.prepare() would divide this loader among the ranks once more: do not pass it to prepare().</source>
        <translation>accelerator.prepare() 会把这个加载器在各 rank 之间再分一次：不要把它交给 prepare()。</translation>
    </message>
    <message>
        <source>A hostfile: on CPUs, accelerate launch starts %1 processes only by mpirun, and needs --mpirun_hostfile for that; without it, it starts one.</source>
        <translation>hostfile：在 CPU 上，accelerate launch 只能通过 mpirun 启动 %1 个进程，为此需要 --mpirun_hostfile；没有它时只启动一个进程。</translation>
    </message>
    <message>
        <source>seeds.rule unseeded: the Trainer seeds every rank, with 42 where seed is not given.</source>
        <translation>seeds.rule unseeded：Trainer 会为每个 rank 设定种子；没有给出 seed 时为 42。</translation>
    </message>
    <message>
        <source>world {nodes: %1, ranks_per_node: %2}: options of %3 set it.</source>
        <translation>world {nodes: %1, ranks_per_node: %2}：由 %3 的选项给出。</translation>
    </message>
    <message>
        <source>Tensor, pipeline and context parallelism: the spec has none, so every rank is counted as data-parallel; with them the global batch is different.</source>
        <translation>张量、流水线和上下文并行：配置中没有这些并行，因此每个 rank 都算作数据并行；使用它们时，全局 batch 会不同。</translation>
    </message>
    <message>
        <source>the script makes these groups itself and gives them to DeepSpeed, as mpu or by a PipelineModule; otherwise DeepSpeed counts more data-parallel ranks than %1 and refuses train_batch_size.</source>
        <translation>脚本自行创建这些组，并以 mpu 或 PipelineModule 交给 DeepSpeed；否则 DeepSpeed 计得的数据并行 rank 会多于 %1，并拒绝 train_batch_size。</translation>
    </message>
    <message>
        <source>seeds.rule same: Megatron-LM seeds the ranks of each pipeline stage with 100 more than those of the stage before.</source>
        <translation>seeds.rule same：Megatron-LM 给每个流水线阶段的 rank 设置的种子比前一阶段大 100。</translation>
    </message>
    <message>
        <source>The container image: the file has a placeholder; replace it with yours.</source>
        <translation>容器镜像：文件中是占位符；请换成你自己的镜像。</translation>
    </message>
    <message>
        <source>RANK, WORLD_SIZE and MASTER_ADDR: Open MPI sets variables of its own, so the script must set torch&apos;s.</source>
        <translation>RANK、WORLD_SIZE 和 MASTER_ADDR：Open MPI 设置的是它自己的变量，因此脚本必须设置 torch 的变量。</translation>
    </message>
    <message>
        <source>The accelerators: the spec does not say which; add them to resources.</source>
        <translation>加速器：配置没有说明是哪一种；请把它加到 resources 中。</translation>
    </message>
    <message>
        <source>world.ranks_per_node %1: Ray places workers where there is room.</source>
        <translation>world.ranks_per_node %1：Ray 会把 worker 放在有空位的地方。</translation>
    </message>
    <message>
        <source>What `accelerate launch --config_file` reads, and the DataLoaderConfiguration beside it.</source>
        <translation>`accelerate launch --config_file` 读取的文件，以及与之配套的 DataLoaderConfiguration。</translation>
    </message>
    <message>
        <source>Composer, llm-foundry</source>
        <translation>Composer、llm-foundry</translation>
    </message>
    <message>
        <source>Keys of an llm-foundry YAML: batch size, loader, and the arguments of StreamingDataset.</source>
        <translation>llm-foundry YAML 中的键：batch 大小、加载器，以及 StreamingDataset 的参数。</translation>
    </message>
    <message>
        <source>A bash script for DeepSpeed&apos;s launcher, its ds_config.json, and its hostfile.</source>
        <translation>用于 DeepSpeed 启动器的 bash 脚本，以及它的 ds_config.json 和主机文件。</translation>
    </message>
    <message>
        <source>Hugging Face Trainer</source>
        <translation>Hugging Face Trainer</translation>
    </message>
    <message>
        <source>The TrainingArguments of the Trainer, which LLaMA-Factory reads, too.</source>
        <translation>Trainer 的 TrainingArguments，LLaMA-Factory 也能读取。</translation>
    </message>
    <message>
        <source>Hydra overlay</source>
        <translation>Hydra 覆盖配置</translation>
    </message>
    <message>
        <source>An experiment that overlays the seed, trainer and data of a Lightning project with Hydra.</source>
        <translation>一个 experiment，用来覆盖使用 Hydra 的 Lightning 项目的 seed、trainer 和 data。</translation>
    </message>
    <message>
        <source>A TrainJob of Kubeflow&apos;s Trainer, with the runtime torch-distributed.</source>
        <translation>Kubeflow Trainer 的 TrainJob，使用运行时 torch-distributed。</translation>
    </message>
    <message>
        <source>A PyTorchJob of Kubeflow&apos;s training operator.</source>
        <translation>Kubeflow training operator 的 PyTorchJob。</translation>
    </message>
    <message>
        <source>An MPIJob of Kubeflow&apos;s MPI operator, with Open MPI.</source>
        <translation>Kubeflow MPI operator 的 MPIJob，使用 Open MPI。</translation>
    </message>
    <message>
        <source>Megatron-LM script</source>
        <translation>Megatron-LM 脚本</translation>
    </message>
    <message>
        <source>A torchrun script with Megatron-LM&apos;s arguments for batch size, seed and data loader.</source>
        <translation>一个 torchrun 脚本，带有 Megatron-LM 关于 batch 大小、种子和数据加载器的参数。</translation>
    </message>
    <message>
        <source>MPICH script</source>
        <translation>MPICH 脚本</translation>
    </message>
    <message>
        <source>A bash script for MPICH&apos;s mpiexec, and its hostfile.</source>
        <translation>用于 MPICH 的 mpiexec 的 bash 脚本，以及它的主机文件。</translation>
    </message>
    <message>
        <source>The ScalingConfig of a TorchTrainer: as many workers as ranks.</source>
        <translation>TorchTrainer 的 ScalingConfig：worker 数与 rank 数相同。</translation>
    </message>
    <message>
        <source>A task of SkyPilot that starts torchrun on every node.</source>
        <translation>在每个节点上启动 torchrun 的 SkyPilot 任务。</translation>
    </message>
    <message>
        <source>Slurm, srun</source>
        <translation>Slurm 脚本（srun）</translation>
    </message>
    <message>
        <source>A batch script in which srun starts every rank, with torch&apos;s variables.</source>
        <translation>由 srun 启动每个 rank 并设置 torch 变量的批处理脚本。</translation>
    </message>
    <message>
        <source>Slurm, torchrun</source>
        <translation>Slurm 脚本（torchrun）</translation>
    </message>
    <message>
        <source>A batch script in which srun starts torchrun once on each node.</source>
        <translation>由 srun 在每个节点上启动一次 torchrun 的批处理脚本。</translation>
    </message>
    <message>
        <source>Only YAML and JSON files can be merged.</source>
        <translation>只有 YAML 和 JSON 文件可以合并。</translation>
    </message>
    <message>
        <source>The file cannot be merged: %1</source>
        <translation>无法合并该文件：%1</translation>
    </message>
    <message>
        <source>merge it by hand, or overwrite it</source>
        <translation>请手动合并，或覆盖该文件</translation>
    </message>
    <message>
        <source>it has no keys.</source>
        <translation>其中没有键。</translation>
    </message>
    <message>
        <source>The file is not valid JSON.</source>
        <translation>该文件不是正确的 JSON。</translation>
    </message>
    <message>
        <source>write it as Slurm does: minutes, 1:30:00, or 2-00:00:00</source>
        <translation>请按 Slurm 的写法：分钟数、1:30:00 或 2-00:00:00</translation>
    </message>
    <message>
        <source>name it</source>
        <translation>请填写</translation>
    </message>
    <message>
        <source>--host names %1 nodes, but the spec has %2.</source>
        <translation>--host 给出了 %1 个节点，而配置有 %2 个。</translation>
    </message>
    <message>
        <source>%1 has no argument for this.</source>
        <translation>%1 没有对应的参数。</translation>
    </message>
    <message>
        <source>The names of the nodes: %1 has placeholders (node0, node1, ...) where none is given; replace them with yours.</source>
        <translation>节点名称：在没有给出名称的地方，%1 中是占位符（node0、node1……）；请换成你自己的名称。</translation>
    </message>
    <message>
        <source>line %1 is not plain YAML (anchors, aliases, tags and several documents in one file are left alone).</source>
        <translation>第 %1 行不是普通的 YAML（锚点、别名、标签以及一个文件中的多个文档都不会被更改）。</translation>
    </message>
    <message>
        <source>it has a key twice.</source>
        <translation>其中有重复的键。</translation>
    </message>
    <message>
        <source>the place of the exported keys holds something else (a map, a list of other things) or has no room.</source>
        <translation>在导出的键应在的位置上有其他内容：映射、其他列表，或没有位置。</translation>
    </message>
    <message>
        <source>%1 gives every node the same number of ranks, but these nodes differ: %2.</source>
        <translation>%1 让每个节点的 rank 数相同，而这些节点各不相同：%2。</translation>
    </message>
    <message>
        <source>export to torchrun, Open MPI, MPICH or DeepSpeed, which can express this</source>
        <translation>请导出到能够表达它的 torchrun、Open MPI、MPICH 或 DeepSpeed</translation>
    </message>
    <message>
        <source>the export to %1 does not support ranks that divide one copy of the model.</source>
        <translation>导出到 %1 时不支持共同承担一份模型的 rank。</translation>
    </message>
    <message>
        <source>export to Megatron-LM, DeepSpeed or PyTorch, or only the start of the job, to torchrun or Slurm</source>
        <translation>请导出到 Megatron-LM、DeepSpeed 或 PyTorch，或只导出作业的启动部分（torchrun 或 Slurm）</translation>
    </message>
    <message>
        <source>%1: there is no key for this; the script makes these groups itself.</source>
        <translation>%1：没有对应的键；由脚本自行创建这些组。</translation>
    </message>
</context>
<context>
    <name>fields</name>
    <message>
        <source>Number of samples: len(dataset).</source>
        <translation>样本数：len(dataset)。</translation>
    </message>
    <message>
        <source>Number of samples in each stored piece (file, tar), in order: a list, or 64 x 500 for 64 equal ones. Empty means one piece.</source>
        <translation>每个存储单元（文件、tar）中的样本数，按顺序：一个列表，或用 64 x 500 表示 64 个相同的单元。留空表示一个单元。</translation>
    </message>
    <message>
        <source>Length of each sample, for samplers that group by length; one for each.</source>
        <translation>每个样本的长度，供按长度分组的采样器使用；每个样本一个。</translation>
    </message>
    <message>
        <source>Class of each sample, for samplers that balance classes; one for each.</source>
        <translation>每个样本的类别，供平衡类别的采样器使用；每个样本一个。</translation>
    </message>
    <message>
        <source>Name of this pipeline in titles and recordings.</source>
        <translation>此流水线在标题和运行记录中的名称。</translation>
    </message>
    <message>
        <source>The class that hands out the samples, by the framework&apos;s own name.</source>
        <translation>分发样本的类，使用框架自己的名称。</translation>
    </message>
    <message>
        <source>Passes over the dataset.</source>
        <translation>遍历数据集的次数。</translation>
    </message>
    <message>
        <source>What the Trainer uses the loader for; in training it always shuffles. Used by the framework lens and the audit.</source>
        <translation>Trainer 将加载器用于什么；训练时它总会打乱。供框架对照和审计使用。</translation>
    </message>
    <message>
        <source>Trainer(strategy=...): auto means ddp on several ranks. With ddp, as with fsdp and deepspeed, Lightning replaces samplers even on one rank.</source>
        <translation>Trainer(strategy=...)：auto 在多个 rank 上表示 ddp。使用 ddp 时（fsdp 和 deepspeed 同样），即使只有一个 rank，Lightning 也会替换采样器。</translation>
    </message>
    <message>
        <source>Trainer(use_distributed_sampler=...), called replace_sampler_ddp before Lightning 2.0: whether it may replace samplers.</source>
        <translation>Trainer(use_distributed_sampler=...)，在 Lightning 2.0 之前称为 replace_sampler_ddp：它是否可以替换采样器。</translation>
    </message>
    <message>
        <source>Trainer(overfit_batches=...): uses only the first batches, without shuffling; 0 means off.</source>
        <translation>Trainer(overfit_batches=...)：只使用最前面的 batch，不打乱；0 表示关闭。</translation>
    </message>
    <message>
        <source>PL_GLOBAL_SEED, which seed_everything sets: the seed of the samplers that Lightning adds; 0 if unset.</source>
        <translation>PL_GLOBAL_SEED，由 seed_everything 设置：Lightning 添加的采样器的种子；未设置时为 0。</translation>
    </message>
    <message>
        <source>Whether the loader is created inside a *_dataloader hook, where Lightning records constructor arguments.</source>
        <translation>加载器是否在 *_dataloader hook 内创建，Lightning 会在其中记录构造函数的参数。</translation>
    </message>
    <message>
        <source>The PyTorch version to reproduce, where versions differ.</source>
        <translation>要重现的 PyTorch 版本，用于各版本行为不同之处。</translation>
    </message>
    <message>
        <source>Whether this PyTorch was built with MKL, as the usual x86 wheels are; torch.backends.mkl.is_available() tells. In PyTorch 2.0 to 2.6, MKL draws samples without replacement with a different generator.</source>
        <translation>此 PyTorch 是否带 MKL 构建，常见的 x86 wheel 即是如此；torch.backends.mkl.is_available() 可以查明。在 PyTorch 2.0 至 2.6 中，MKL 使用另一个生成器进行不放回抽样。</translation>
    </message>
    <message>
        <source>DataLoader worker processes per rank; 0 loads in the main process of the rank.</source>
        <translation>每个 rank 的 DataLoader worker 进程数；0 表示在该 rank 的主进程中加载。</translation>
    </message>
    <message>
        <source>Whether the loader drops a short last batch. This is not the sampler&apos;s drop_last.</source>
        <translation>加载器是否丢弃不足的最后一个 batch。这不是采样器的 drop_last。</translation>
    </message>
    <message>
        <source>Batches that each worker prefetches; this does not change which rank gets what.</source>
        <translation>每个 worker 预取的 batch 数；这不会改变哪个 rank 得到什么。</translation>
    </message>
    <message>
        <source>Whether workers live on between epochs: base_seed is drawn once, and their generators continue instead of being seeded again.</source>
        <translation>worker 是否在 epoch 之间保留：base_seed 只抽取一次，它们的生成器会延续，而不是重新设置种子。</translation>
    </message>
    <message>
        <source>The rank to slow down.</source>
        <translation>要减慢的 rank。</translation>
    </message>
    <message>
        <source>How much longer each of these steps takes on that rank.</source>
        <translation>在该 rank 上，这些 step 每个多用多长时间。</translation>
    </message>
    <message>
        <source>Where the rank spends the extra time.</source>
        <translation>该 rank 把额外的时间花在哪里。</translation>
    </message>
    <message>
        <source>The first slowed step, counted from 0 over all epochs.</source>
        <translation>第一个被减慢的 step，在所有 epoch 中从 0 开始计数。</translation>
    </message>
    <message>
        <source>The first step at normal speed again, counted over all epochs; 0 means that all later steps are slowed.</source>
        <translation>恢复正常速度的第一个 step，在所有 epoch 中计数；0 表示之后的所有 step 都被减慢。</translation>
    </message>
    <message>
        <source>The program that starts the ranks.</source>
        <translation>启动各 rank 的程序。</translation>
    </message>
    <message>
        <source>The stand-in program that runs on every rank: it reduces gradients over MPI, over NCCL on GPUs, or over a socket. socket_rank also replaces mpi_rank under a launcher that does not start MPI.</source>
        <translation>在每个 rank 上运行的替身程序：它通过 MPI、在 GPU 上通过 NCCL，或通过 socket 归约梯度。在不启动 MPI 的启动器下，socket_rank 也会代替 mpi_rank 运行。</translation>
    </message>
    <message>
        <source>Time that a rank takes to load one batch.</source>
        <translation>一个 rank 加载一个 batch 所用的时间。</translation>
    </message>
    <message>
        <source>Time that a rank takes to compute one step.</source>
        <translation>一个 rank 计算一个 step 所用的时间。</translation>
    </message>
    <message>
        <source>Size of the buffer that all ranks reduce in each step.</source>
        <translation>所有 rank 在每个 step 中归约的缓冲区大小。</translation>
    </message>
    <message>
        <source>Ranks that are slowed on purpose, each over a range of steps; empty means that no rank is slowed.</source>
        <translation>特意减慢的 rank，每个对应一段 step；留空表示不减慢任何 rank。</translation>
    </message>
    <message>
        <source>Number of machines.</source>
        <translation>机器数。</translation>
    </message>
    <message>
        <source>Cut each batch of the loader into one part per process: batch_size is then that of all processes together.</source>
        <translation>把加载器的每个 batch 切成每个进程一份：此时 batch_size 是所有进程合计的大小。</translation>
    </message>
    <message>
        <source>Fill up the end with the first samples, so that all processes have the same number of batches.</source>
        <translation>用最前面的样本补齐末尾，使所有进程的 batch 数相同。</translation>
    </message>
    <message>
        <source>accelerator.skip_first_batches(loader, ...) in the first epoch, as after a checkpoint.</source>
        <translation>第一个 epoch 中的 accelerator.skip_first_batches(loader, ...)，如同从 checkpoint 恢复之后。</translation>
    </message>
    <message>
        <source>The sampler that the script passed to the DataLoader.</source>
        <translation>脚本传给 DataLoader 的采样器。</translation>
    </message>
    <message>
        <source>DataLoader(shuffle=...) on rank 0.</source>
        <translation>rank 0 上的 DataLoader(shuffle=...)。</translation>
    </message>
    <message>
        <source>Send each batch of the loader in parts, instead of one whole batch to each process.</source>
        <translation>把加载器的每个 batch 分份发送，而不是给每个进程一个完整的 batch。</translation>
    </message>
    <message>
        <source>DataLoader(shuffle=...): a RandomSampler, or the dataset in order.</source>
        <translation>DataLoader(shuffle=...)：RandomSampler，或按数据集的顺序。</translation>
    </message>
    <message>
        <source>DataLoaderConfiguration(use_seedable_sampler=...): reseed the sampler with the epoch.</source>
        <translation>DataLoaderConfiguration(use_seedable_sampler=...)：用 epoch 重新设置采样器的种子。</translation>
    </message>
    <message>
        <source>DataLoaderConfiguration(data_seed=...), used with use_seedable_sampler; none means the rank&apos;s torch.manual_seed.</source>
        <translation>DataLoaderConfiguration(data_seed=...)，与 use_seedable_sampler 一起使用；none 表示该 rank 的 torch.manual_seed。</translation>
    </message>
    <message>
        <source>Samples of each class: those of the smallest one (downsampling), of the largest one (upsampling), or a number.</source>
        <translation>每个类别的样本数：取最小类别的数量（downsampling）、最大类别的数量（upsampling），或一个给定的数。</translation>
    </message>
    <message>
        <source>Permute the positions of the pass in every epoch.</source>
        <translation>在每个 epoch 中排列这一遍的各个位置。</translation>
    </message>
    <message>
        <source>Whether the script calls sampler.set_epoch(epoch); if it does not, every epoch has the same permutation.</source>
        <translation>脚本是否调用 sampler.set_epoch(epoch)；不调用时每个 epoch 的排列都相同。</translation>
    </message>
    <message>
        <source>Seed of NumPy&apos;s RandomState; the epoch is added. The same on all ranks.</source>
        <translation>NumPy 的 RandomState 的种子；会加上 epoch。所有 rank 相同。</translation>
    </message>
    <message>
        <source>Whether set_epoch(epoch) is called; without it every epoch repeats epoch 0.</source>
        <translation>是否调用 set_epoch(epoch)；不调用时每个 epoch 都重复 epoch 0。</translation>
    </message>
    <message>
        <source>Number of samples per epoch on each rank; none means the size of the dataset.</source>
        <translation>每个 rank 每个 epoch 的样本数；none 表示数据集的大小。</translation>
    </message>
    <message>
        <source>Number of consecutive samples of one class.</source>
        <translation>同一类别连续样本的个数。</translation>
    </message>
    <message>
        <source>batch_size of the constructor: classes are redrawn for each batch; none redraws them when all have been used.</source>
        <translation>构造函数的 batch_size：为每个 batch 重新抽取类别；none 在所有类别用完后才重新抽取。</translation>
    </message>
    <message>
        <source>Samples of an epoch on each rank, before they are cut to whole passes or batches.</source>
        <translation>每个 rank 在一个 epoch 中的样本数，之后再截到完整的遍数或 batch。</translation>
    </message>
    <message>
        <source>The samples that each epoch reads once, usually the labelled ones.</source>
        <translation>每个 epoch 读取一次的样本，通常是带标签的样本。</translation>
    </message>
    <message>
        <source>The samples that fill up each batch, repeated as often as needed.</source>
        <translation>填满每个 batch 的样本，按需重复。</translation>
    </message>
    <message>
        <source>How many samples of loader.batch_size are secondary; they come after the primary ones.</source>
        <translation>loader.batch_size 中有多少个次样本；它们排在主样本之后。</translation>
    </message>
    <message>
        <source>Where the script calls dataset.shuffle(): on the whole dataset, or on each rank&apos;s part.</source>
        <translation>脚本在哪里调用 dataset.shuffle()：对整个数据集，或对每个 rank 的部分。</translation>
    </message>
    <message>
        <source>Seed of shuffle(); none means NumPy&apos;s global seed, which the script sets to the same value as torch&apos;s.</source>
        <translation>shuffle() 的种子；none 表示 NumPy 的全局种子，脚本会将其设为与 torch 相同的值。</translation>
    </message>
    <message>
        <source>One contiguous block per rank, as split_dataset_by_node cuts it; otherwise every world-size-th sample, as shard(contiguous=False) does.</source>
        <translation>每个 rank 得到连续的一块，如同 split_dataset_by_node 的切法；否则每 world size 个样本取一个，如同 shard(contiguous=False)。</translation>
    </message>
    <message>
        <source>split_dataset_by_node(dataset, rank, world_size); without it every rank reads everything.</source>
        <translation>split_dataset_by_node(dataset, rank, world_size)；没有它时每个 rank 读取全部数据。</translation>
    </message>
    <message>
        <source>dataset.shuffle(): the order of the shards, and a buffer of samples.</source>
        <translation>dataset.shuffle()：shard 的顺序，以及一个样本缓冲区。</translation>
    </message>
    <message>
        <source>Seed of shuffle(); none draws one at random on each rank.</source>
        <translation>shuffle() 的种子；none 在每个 rank 上随机抽取一个。</translation>
    </message>
    <message>
        <source>Samples that shuffle() holds and draws from; a negative number holds all of them.</source>
        <translation>shuffle() 持有并从中抽取的样本数；负数表示持有全部。</translation>
    </message>
    <message>
        <source>Shards that shuffle() reads at a time, one sample of each in turn; 1 reads them one after another.</source>
        <translation>shuffle() 同时读取的 shard 数，轮流从每个 shard 取一个样本；1 表示逐个读取。</translation>
    </message>
    <message>
        <source>Whether the script calls dataset.set_epoch(epoch); if it does not, every epoch repeats epoch 0.</source>
        <translation>脚本是否调用 dataset.set_epoch(epoch)；不调用时每个 epoch 都重复 epoch 0。</translation>
    </message>
    <message>
        <source>Whether the TrainingSampler inside permutes.</source>
        <translation>内部的 TrainingSampler 是否排列。</translation>
    </message>
    <message>
        <source>Seed of the TrainingSampler inside.</source>
        <translation>内部 TrainingSampler 的种子。</translation>
    </message>
    <message>
        <source>How often each sample occurs in a lap; kept in single precision. ones is the same as TrainingSampler.</source>
        <translation>每个样本在一轮中出现的次数；以单精度保存。ones 与 TrainingSampler 相同。</translation>
    </message>
    <message>
        <source>Permute each lap.</source>
        <translation>排列每一轮。</translation>
    </message>
    <message>
        <source>Seed of the stream, used once.</source>
        <translation>流的种子，只使用一次。</translation>
    </message>
    <message>
        <source>Permute the dataset on every lap.</source>
        <translation>在每一轮中排列数据集。</translation>
    </message>
    <message>
        <source>Seed of the stream, used once. None draws a random seed and shares it, which cannot be predicted.</source>
        <translation>流的种子，只使用一次。None 抽取一个随机种子并共享，因此无法预测。</translation>
    </message>
    <message>
        <source>Share of the dataset that is used.</source>
        <translation>使用数据集的比例。</translation>
    </message>
    <message>
        <source>Permute the part on every lap.</source>
        <translation>在每一轮中排列该部分。</translation>
    </message>
    <message>
        <source>Seed of the stream.</source>
        <translation>流的种子。</translation>
    </message>
    <message>
        <source>Seed of the draw of that part.</source>
        <translation>抽取该部分所用的种子。</translation>
    </message>
    <message>
        <source>Seed of the shuffle; the epoch, counted from 1, is added.</source>
        <translation>打乱的种子；会加上从 1 开始计数的 epoch。</translation>
    </message>
    <message>
        <source>Shuffle the batches in every epoch.</source>
        <translation>在每个 epoch 中打乱 batch。</translation>
    </message>
    <message>
        <source>Keep each rank&apos;s batches and shuffle only their order; needs supports_prefetch.</source>
        <translation>保留每个 rank 的 batch，只打乱它们的顺序；需要 supports_prefetch。</translation>
    </message>
    <message>
        <source>The value of dataset.supports_prefetch.</source>
        <translation>dataset.supports_prefetch 的值。</translation>
    </message>
    <message>
        <source>Shuffle groups of world-size batches, so that neighbouring batches stay in one step.</source>
        <translation>按 world size 个 batch 一组打乱，使相邻的 batch 留在同一个 step。</translation>
    </message>
    <message>
        <source>Shuffle inside each rank&apos;s part, with seed + its epoch.</source>
        <translation>在每个 rank 的部分内打乱，使用 seed + 它的 epoch。</translation>
    </message>
    <message>
        <source>Seed of the shuffle, 0 to 2^32 - 1; the number of the pass through the records is added.</source>
        <translation>打乱的种子，0 至 2^32 - 1；会加上遍历记录的次数。</translation>
    </message>
    <message>
        <source>How often one pass over the loader goes through the records; none means endlessly.</source>
        <translation>遍历一次加载器会读完所有记录多少遍；none 表示无限。</translation>
    </message>
    <message>
        <source>Leave out the records that do not divide evenly; otherwise the first ranks have one more.</source>
        <translation>舍弃不能整除的记录；否则前面的 rank 会多一条。</translation>
    </message>
    <message>
        <source>Permute in every epoch. In training the Trainer always passes true.</source>
        <translation>在每个 epoch 中排列。训练时 Trainer 总是传入 true。</translation>
    </message>
    <message>
        <source>Seed of the permutation; the epoch is added. The Trainer passes PL_GLOBAL_SEED, or 0.</source>
        <translation>排列的种子；会加上 epoch。Trainer 传入 PL_GLOBAL_SEED 或 0。</translation>
    </message>
    <message>
        <source>Has no effect: the epoch alone seeds the permutation.</source>
        <translation>没有作用：排列的种子只取决于 epoch。</translation>
    </message>
    <message>
        <source>Cut the tail that does not divide evenly instead of padding it with repeated samples.</source>
        <translation>截掉不能整除的尾部，而不是用重复样本填充。</translation>
    </message>
    <message>
        <source>Has no effect: nothing is padded.</source>
        <translation>没有作用：不填充任何内容。</translation>
    </message>
    <message>
        <source>Whether set_epoch(epoch) is called; the Trainer calls it.</source>
        <translation>是否调用 set_epoch(epoch)；Trainer 会调用它。</translation>
    </message>
    <message>
        <source>Samples that all ranks together had trained on when the checkpoint was written.</source>
        <translation>写入 checkpoint 时，所有 rank 合计已训练的样本数。</translation>
    </message>
    <message>
        <source>Leave out the samples that do not fill a batch on every rank.</source>
        <translation>舍弃无法在每个 rank 上填满一个 batch 的样本。</translation>
    </message>
    <message>
        <source>Each rank permutes its own contiguous part of the dataset; if off, all ranks stride through one permutation.</source>
        <translation>每个 rank 排列自己那段连续的数据；关闭时，所有 rank 按步长读取同一个排列。</translation>
    </message>
    <message>
        <source>Samples that all ranks together take in one step.</source>
        <translation>所有 rank 在一个 step 中合计取的样本数。</translation>
    </message>
    <message>
        <source>Permute the dataset in every epoch.</source>
        <translation>在每个 epoch 中排列数据集。</translation>
    </message>
    <message>
        <source>Seed of the permutation; the epoch is added. None draws a seed from the clock and shares it, which cannot be predicted.</source>
        <translation>排列的种子；会加上 epoch。None 从时钟抽取一个种子并共享，因此无法预测。</translation>
    </message>
    <message>
        <source>Repeat samples until all ranks have the same number; otherwise some ranks get one fewer.</source>
        <translation>重复样本，直到所有 rank 的数量相同；否则有些 rank 会少一个。</translation>
    </message>
    <message>
        <source>Seed of the stream, used once. None draws a seed from the clock and shares it, which cannot be predicted.</source>
        <translation>流的种子，只使用一次。None 从时钟抽取一个种子并共享，因此无法预测。</translation>
    </message>
    <message>
        <source>Shuffle the samples; Streaming&apos;s default is off.</source>
        <translation>打乱样本；Streaming 默认关闭。</translation>
    </message>
    <message>
        <source>How samples are shuffled: by moving spans at random, within shards once or twice, within blocks, or all at once.</source>
        <translation>样本的打乱方式：随机移动区段、在 shard 内打乱一次或两次、在块内打乱，或全部一起打乱。</translation>
    </message>
    <message>
        <source>Seed of sampling and shuffling.</source>
        <translation>取样和打乱的种子。</translation>
    </message>
    <message>
        <source>Unit of py1e and py1br; none means max(4 000 000 // num_canonical_nodes, 262 144).</source>
        <translation>py1e 和 py1br 的单位；none 表示 max(4 000 000 // num_canonical_nodes, 262 144)。</translation>
    </message>
    <message>
        <source>Parts that the samples are cut into before the nodes share them; none means the nodes of the first run, or 64 times as many with py1s and py2s.</source>
        <translation>在各节点分享之前把样本切成的份数；none 表示第一次运行的节点数，使用 py1s 和 py2s 时为其 64 倍。</translation>
    </message>
    <message>
        <source>Whether a resumed run may use a number of nodes that does not divide the canonical nodes.</source>
        <translation>续训时的节点数是否可以不整除 canonical nodes。</translation>
    </message>
    <message>
        <source>What a batch holds: samples of any stream, a fixed share of every stream, or one stream per global batch or per rank&apos;s batch.</source>
        <translation>一个 batch 包含什么：任意流的样本、每条流的固定份额，或者每个全局 batch（或每个 rank 的 batch）一条流。</translation>
    </message>
    <message>
        <source>batch_size of the dataset: the loader&apos;s, as it must be, another one, or none.</source>
        <translation>数据集的 batch_size：与加载器相同（应当如此）、另一个值，或没有。</translation>
    </message>
    <message>
        <source>Whether a stream that is only partly used gives different samples in each epoch, or always the same.</source>
        <translation>只使用一部分的流在每个 epoch 给出不同的样本，还是总是相同的样本。</translation>
    </message>
    <message>
        <source>Samples that a partial repeat of a stream takes from one shard at a time.</source>
        <translation>对一条流做部分重复时，每次从一个 shard 取的样本数。</translation>
    </message>
    <message>
        <source>Samples in an epoch, over all streams; none means as many as the streams have.</source>
        <translation>所有流合计在一个 epoch 中的样本数；none 表示各条流有多少就是多少。</translation>
    </message>
    <message>
        <source>How many of dataset.shards each stream has, in order; an empty list means one stream of all shards.</source>
        <translation>每条流依次有多少个 dataset.shards；空列表表示由所有 shard 组成一条流。</translation>
    </message>
    <message>
        <source>Weight of each stream relative to the others; an empty list, or -1 for a stream, means not set.</source>
        <translation>每条流相对于其他流的权重；空列表，或某条流为 -1，表示未设置。</translation>
    </message>
    <message>
        <source>How often each stream is repeated; an empty list, or -1 for a stream, means not set.</source>
        <translation>每条流重复的次数；空列表，或某条流为 -1，表示未设置。</translation>
    </message>
    <message>
        <source>Samples taken from each stream; an empty list, or -1 for a stream, means not set.</source>
        <translation>从每条流取的样本数；空列表，或某条流为 -1，表示未设置。</translation>
    </message>
    <message>
        <source>How many neighbouring ranks read the same samples, for tensor or sequence parallelism.</source>
        <translation>有多少个相邻的 rank 读取相同的样本，用于张量并行或序列并行。</translation>
    </message>
    <message>
        <source>Epoch that the loaded state was saved in: only this one begins at sample_in_epoch.</source>
        <translation>保存所加载状态时的 epoch：只有这个 epoch 从 sample_in_epoch 处开始。</translation>
    </message>
    <message>
        <source>Samples that all ranks together had seen of that epoch when the state was saved.</source>
        <translation>保存状态时，所有 rank 合计已读取的该 epoch 的样本数。</translation>
    </message>
    <message>
        <source>Nodes of the run that saved the first state; none when nothing is resumed.</source>
        <translation>保存第一个状态的那次运行的节点数；没有续训时为 none。</translation>
    </message>
    <message>
        <source>Permute the dataset in every epoch, seeded by the epoch.</source>
        <translation>在每个 epoch 中排列数据集，以 epoch 为种子。</translation>
    </message>
    <message>
        <source>How often each sample is repeated in a row; a fraction repeats some samples once more.</source>
        <translation>每个样本连续重复的次数；小数表示部分样本再多重复一次。</translation>
    </message>
    <message>
        <source>The dataset&apos;s size is rounded down to a multiple of this before it is divided; 0 does not round.</source>
        <translation>数据集大小先向下取整到此数的倍数，再进行划分；0 表示不取整。</translation>
    </message>
    <message>
        <source>Each rank keeps the dataset&apos;s size divided by this; 0 is the world size.</source>
        <translation>每个 rank 保留数据集大小除以此数的样本；0 表示 world size。</translation>
    </message>
    <message>
        <source>Seed of the permutation; the epoch is added. Must be the same on all ranks.</source>
        <translation>排列的种子；会加上 epoch。所有 rank 上必须相同。</translation>
    </message>
    <message>
        <source>Whether the script calls sampler.set_epoch(epoch); if it does not, every epoch repeats epoch 0.</source>
        <translation>脚本是否调用 sampler.set_epoch(epoch)；不调用时每个 epoch 都重复 epoch 0。</translation>
    </message>
    <message>
        <source>What the script passes as num_replicas: the number of slices that the dataset is divided into.</source>
        <translation>脚本作为 num_replicas 传入的值：把数据集划分成的切片数。</translation>
    </message>
    <message>
        <source>What the script passes as rank: the slice that a process takes.</source>
        <translation>脚本作为 rank 传入的值：该进程取的切片。</translation>
    </message>
    <message>
        <source>Samples of the endless stream that each rank takes per epoch of the plan; one_pass is the dataset&apos;s size divided by the world size, rounded up.</source>
        <translation>每个 rank 在计划的每个 epoch 中从无尽的流里取的样本数；one_pass 是数据集大小除以 world size，向上取整。</translation>
    </message>
    <message>
        <source>What gets a torch.Generator: nothing (none), the sampler, or the DataLoader, which passes it to the sampler.</source>
        <translation>什么得到 torch.Generator：没有（none）、采样器，或 DataLoader（它会再传给采样器）。</translation>
    </message>
    <message>
        <source>Seed of that generator, set once before epoch 0.</source>
        <translation>该生成器的种子，在 epoch 0 之前设置一次。</translation>
    </message>
    <message>
        <source>Whether a sample can be drawn again within an epoch. The default with inner: random is false.</source>
        <translation>同一个 epoch 中是否可以再次抽到同一个样本。inner 为 random 时的默认值是 false。</translation>
    </message>
    <message>
        <source>Number of samples per epoch on each rank. The default with inner: random is none.</source>
        <translation>每个 rank 每个 epoch 的样本数。inner 为 random 时的默认值是 none。</translation>
    </message>
    <message>
        <source>How __iter__ divides the samples between ranks: not at all, or rank, rank + world size, ....</source>
        <translation>__iter__ 如何在各 rank 之间划分样本：完全不划分，或取 rank、rank + world size……</translation>
    </message>
    <message>
        <source>Which of its rank&apos;s samples each worker&apos;s copy yields: all of them, every num_workers-th one, or one contiguous part.</source>
        <translation>每个 worker 的副本给出其 rank 的哪些样本：全部、每 num_workers 个取一个，或连续的一部分。</translation>
    </message>
    <message>
        <source>The samples in reading order; a list, or {range: [a, b]}.</source>
        <translation>按读取顺序排列的样本；一个列表，或 {range: [a, b]}。</translation>
    </message>
    <message>
        <source>Draw with replacement, so that some samples are read several times and others never.</source>
        <translation>有放回地抽取，因此有些样本会读取多次，有些则从不读取。</translation>
    </message>
    <message>
        <source>The samples to draw from; a list, or {range: [a, b]}.</source>
        <translation>供抽取的样本；一个列表，或 {range: [a, b]}。</translation>
    </message>
    <message>
        <source>Weight of each sample: a list, or a named pattern over the whole dataset.</source>
        <translation>每个样本的权重：一个列表，或覆盖整个数据集的命名模式。</translation>
    </message>
    <message>
        <source>Number of samples per epoch on each rank.</source>
        <translation>每个 rank 每个 epoch 的样本数。</translation>
    </message>
    <message>
        <source>Whether a sample can be drawn again within an epoch.</source>
        <translation>同一个 epoch 中是否可以再次抽到同一个样本。</translation>
    </message>
    <message>
        <source>Samples that each rank had taken when the state was saved: the first epoch continues after them.</source>
        <translation>保存状态时每个 rank 已取的样本数：第一个 epoch 在它们之后继续。</translation>
    </message>
    <message>
        <source>Seed of its generator. When the script gives none: 1 in older releases; global, one draw of the rank&apos;s torch stream when the sampler is made, in newer ones.</source>
        <translation>其生成器的种子。脚本没有给出时：旧版本为 1；新版本为 global，即在创建采样器时从该 rank 的 torch 随机流抽取一次。</translation>
    </message>
    <message>
        <source>Seed of the permutation; the epoch is added.</source>
        <translation>排列的种子；会加上 epoch。</translation>
    </message>
    <message>
        <source>Cut the tail that does not divide evenly instead of repeating samples.</source>
        <translation>截掉不能整除的尾部，而不是重复样本。</translation>
    </message>
    <message>
        <source>Leave out the samples that do not fill a batch on every process.</source>
        <translation>舍弃无法在每个进程上填满一个 batch 的样本。</translation>
    </message>
    <message>
        <source>Make each block a multiple of this; none fills up only to a multiple of the world size.</source>
        <translation>使每个块都是此数的倍数；none 只补齐到 world size 的倍数。</translation>
    </message>
    <message>
        <source>Seed of the sampler&apos;s generator, set once before epoch 0.</source>
        <translation>采样器的生成器的种子，在 epoch 0 之前设置一次。</translation>
    </message>
    <message>
        <source>How shards are split between ranks. WebDataset&apos;s own default, single_node_only, raises with more than one rank; none gives every rank all shards.</source>
        <translation>如何在 rank 之间划分 shard。WebDataset 自己的默认值 single_node_only 在多个 rank 时会引发异常；none 把所有 shard 给每个 rank。</translation>
    </message>
    <message>
        <source>How a rank&apos;s shards are split between workers.</source>
        <translation>如何在 worker 之间划分一个 rank 的 shard。</translation>
    </message>
    <message>
        <source>Buffer in which each worker shuffles its shards; 0 keeps their order.</source>
        <translation>每个 worker 打乱其 shard 所用的缓冲区；0 保持原有顺序。</translation>
    </message>
    <message>
        <source>Shuffle shards by seed + epoch instead of by the seed alone.</source>
        <translation>用 seed + epoch 打乱 shard，而不是只用 seed。</translation>
    </message>
    <message>
        <source>Seed of the shards&apos; shuffle; none draws one at random.</source>
        <translation>打乱 shard 的种子；none 随机抽取一个。</translation>
    </message>
    <message>
        <source>Buffer of a following .shuffle() over samples; 0 means none.</source>
        <translation>随后对样本调用 .shuffle() 的缓冲区；0 表示没有。</translation>
    </message>
    <message>
        <source>Samples that .shuffle() holds before it yields the first one.</source>
        <translation>.shuffle() 在给出第一个样本之前持有的样本数。</translation>
    </message>
    <message>
        <source>Seed of .shuffle(); none takes the time and the process id.</source>
        <translation>.shuffle() 的种子；none 使用时间和进程 id。</translation>
    </message>
    <message>
        <source>Raise when a worker has no samples.</source>
        <translation>当某个 worker 没有样本时引发异常。</translation>
    </message>
    <message>
        <source>Mixed with worker and epoch.</source>
        <translation>与 worker 和 epoch 混合。</translation>
    </message>
    <message>
        <source>Seed by worker, epoch and seed alone. WebDataset&apos;s default is false, which adds time and process id.</source>
        <translation>只用 worker、epoch 和 seed 作为种子。WebDataset 的默认值为 false，会再加入时间和进程 id。</translation>
    </message>
    <message>
        <source>The samples as they were read: epoch after epoch, in it rank after rank.</source>
        <translation>读取时的样本：按 epoch 依次排列，每个 epoch 内按 rank 依次排列。</translation>
    </message>
    <message>
        <source>The size of each batch, in the same order.</source>
        <translation>每个 batch 的大小，顺序相同。</translation>
    </message>
    <message>
        <source>How many batches each rank has in each epoch: epoch after epoch, in it rank after rank.</source>
        <translation>每个 rank 在每个 epoch 中有多少个 batch：按 epoch 依次排列，每个 epoch 内按 rank 依次排列。</translation>
    </message>
    <message>
        <source>How many ranks were recorded.</source>
        <translation>记录了多少个 rank。</translation>
    </message>
    <message>
        <source>Seed of the permutation; the epoch is added. The Trainer&apos;s seed plays no part.</source>
        <translation>排列的种子，会加上 epoch。Trainer 的种子不起作用。</translation>
    </message>
    <message>
        <source>The samples of the file that the loader was given, in its order; an empty list is all.</source>
        <translation>交给加载器的样本，按它们的顺序；空列表表示文件的全部样本。</translation>
    </message>
    <message>
        <source>Seed of the order; the loader draws one at random if it is given none.</source>
        <translation>顺序的种子；不给出时加载器会随机抽一个。</translation>
    </message>
    <message>
        <source>Whether the loader was made with distributed=True; otherwise each rank reads all.</source>
        <translation>加载器是否以 distributed=True 创建；否则每个 rank 读取全部样本。</translation>
    </message>
    <message>
        <source>Whether the loader asked for epoch 0 when it was made, as FFCV&apos;s does: that call shuffles the pages once.</source>
        <translation>加载器在创建时是否已要过 epoch 0（FFCV 的加载器会这样做）：那次调用会把各页打乱一次。</translation>
    </message>
    <message>
        <source>Whether the script calls sampler.set_epoch(epoch); if it does not, every epoch is drawn with torch.manual_seed(0).</source>
        <translation>脚本是否调用 sampler.set_epoch(epoch)；如果不调用，每个 epoch 都在 torch.manual_seed(0) 之后抽取。</translation>
    </message>
    <message>
        <source>Whether the sampler inside was given a torch.Generator of its own.</source>
        <translation>内部的采样器是否有自己的 torch.Generator。</translation>
    </message>
    <message>
        <source>none keeps the order of the chunks (shuffle=False); full shuffles chunks and items (shuffle=True); window is the shuffle of local POSIX paths, within a window.</source>
        <translation>none 保持数据块的顺序（shuffle=False）；full 打乱数据块和其中的样本（shuffle=True）；window 是本地 POSIX 路径使用的窗口内打乱。</translation>
    </message>
    <message>
        <source>Seed of all shuffles; NumPy takes 0 to 2^32 - 1.</source>
        <translation>所有打乱的种子；NumPy 接受 0 到 2^32 - 1。</translation>
    </message>
    <message>
        <source>Leave out what gives no whole batch on every rank; litData&apos;s own default on several ranks.</source>
        <translation>舍去不能让每个 rank 都凑满 batch 的样本；有多个 rank 时这是 litData 的默认值。</translation>
    </message>
    <message>
        <source>Whether max_cache_size holds the chunks of each node: from the second epoch on each node then keeps its own.</source>
        <translation>max_cache_size 是否容得下每个节点的数据块：若是，从第二个 epoch 起每个节点保留自己的数据块。</translation>
    </message>
    <message>
        <source>How far the shuffle window moves a chunk or an item forward.</source>
        <translation>窗口打乱最多能把数据块或样本向前移动多远。</translation>
    </message>
    <message>
        <source>First item of each chunk that is used, and the item behind the last one, chunk after chunk; whole uses all.</source>
        <translation>每个数据块中第一个被使用的样本和最后一个之后的样本，逐块给出；whole 表示全部使用。</translation>
    </message>
    <message>
        <source>With drop_last off, fill the last global batch with -1, which stands for no sample; the plan shows the samples only.</source>
        <translation>关闭 drop_last 时，用表示“没有样本”的 -1 填满最后一个全局 batch；计划中只显示样本。</translation>
    </message>
    <message>
        <source>Seed of the permutation; the epoch is added. none is what the process handed to torch.manual_seed before.</source>
        <translation>排列的种子，会加上 epoch。none 表示进程之前交给 torch.manual_seed 的值。</translation>
    </message>
    <message>
        <source>Whether the code has PR 5944; it matters with data_sharding off.</source>
        <translation>代码是否包含 PR 5944；只在关闭 data_sharding 时有区别。</translation>
    </message>
    <message>
        <source>Width divided by height of each image; those below 1 are tall. alternating makes every second image tall.</source>
        <translation>每张图像的宽高比；小于 1 的是竖图。alternating 表示每隔一张是竖图。</translation>
    </message>
    <message>
        <source>The sampler inside: DefaultSampler, or the dataset in order on every rank.</source>
        <translation>内部的采样器：DefaultSampler，或在每个 rank 上按顺序读取数据集。</translation>
    </message>
    <message>
        <source>Seed of the DefaultSampler inside; the epoch is added.</source>
        <translation>内部 DefaultSampler 的种子，会加上 epoch。</translation>
    </message>
    <message>
        <source>Seed of the permutations; the epoch is added. None draws a seed from the clock and shares it, which cannot be predicted.</source>
        <translation>各个排列的种子，会加上 epoch。None 会按时钟抽一个种子并共享，因此无法预测。</translation>
    </message>
    <message>
        <source>Images of a class that are taken before the next class.</source>
        <translation>换到下一个类别之前，从一个类别取多少张图像。</translation>
    </message>
    <message>
        <source>Classes of each image, image after image, with -1 behind those of each; labels means one class an image, as dataset.labels says.</source>
        <translation>每张图像的类别，逐张给出，每张之后写 -1；labels 表示每张图像一个类别，由 dataset.labels 给出。</translation>
    </message>
    <message>
        <source>Shares of the datasets in a batch; what rounding leaves goes to the first one.</source>
        <translation>各数据集在 batch 中的份额；取整后剩下的归第一个数据集。</translation>
    </message>
    <message>
        <source>Permute each dataset on every lap.</source>
        <translation>每一圈都重新排列每个数据集。</translation>
    </message>
    <message>
        <source>Seed of each dataset&apos;s stream, used once. None draws a seed from the clock and shares it, which cannot be predicted.</source>
        <translation>每个数据集的流的种子，只使用一次。None 会按时钟抽一个种子并共享，因此无法预测。</translation>
    </message>
    <message>
        <source>Samples that each rank draws per epoch; share means as many as its slice holds.</source>
        <translation>每个 rank 在一个 epoch 中抽取的样本数；share 表示与它的切片一样多。</translation>
    </message>
    <message>
        <source>Whether the sampler was given a torch.Generator of its own.</source>
        <translation>采样器是否有自己的 torch.Generator。</translation>
    </message>
    <message>
        <source>Tokens in a row of the batch.</source>
        <translation>batch 中每一行的 token 数。</translation>
    </message>
    <message>
        <source>Calls for the training file on each rank that the plan shows as an epoch; one_pass draws as many offsets on all ranks together as the file has tokens, rounded up to whole batches.</source>
        <translation>计划把每个 rank 上对训练文件的多少次调用显示为一个 epoch；one_pass 表示所有 rank 合计抽取的位置数等于文件的 token 数，并向上取整到整个 batch。</translation>
    </message>
    <message>
        <source>Outputs of torch&apos;s generator that other code consumed between torch.manual_seed and the first call, such as the initialization of the model on the CPU.</source>
        <translation>在 torch.manual_seed 与第一次调用之间，其他代码从 torch 生成器消耗的输出个数，例如在 CPU 上初始化模型。</translation>
    </message>
    <message>
        <source>Permute the instances in every epoch.</source>
        <translation>在每个 epoch 重新排列各个实例。</translation>
    </message>
    <message>
        <source>Seed of the permutation; the epoch number, which counts from 1, is added.</source>
        <translation>排列的种子，会加上从 1 开始计数的 epoch 编号。</translation>
    </message>
    <message>
        <source>Tokens of an instance, which is a sample of the plan.</source>
        <translation>一个实例的 token 数；一个实例就是计划中的一个样本。</translation>
    </message>
    <message>
        <source>Tokens that all ranks together take in a step.</source>
        <translation>所有 rank 在一个 step 中合计取用的 token 数。</translation>
    </message>
    <message>
        <source>Neighbouring instances that stay together when the dataset is permuted.</source>
        <translation>排列数据集时保持在一起的相邻实例数。</translation>
    </message>
    <message>
        <source>Batches of the first epoch that were read before the state was saved.</source>
        <translation>保存状态之前，第一个 epoch 中已经读过的 batch 数。</translation>
    </message>
    <message>
        <source>Number of the first epoch, as reshuffle(epoch) is given it.</source>
        <translation>第一个 epoch 的编号，即传给 reshuffle(epoch) 的值。</translation>
    </message>
    <message>
        <source>Permute the padded dataset in every epoch, seeded by the epoch number alone.</source>
        <translation>在每个 epoch 排列补齐后的数据集，种子只是 epoch 编号。</translation>
    </message>
    <message>
        <source>The epoch number of the first pass, as set_epoch gave it; each shuffled pass raises it by 1.</source>
        <translation>第一遍的 epoch 编号，由 set_epoch 给出；每打乱一遍它自己加 1。</translation>
    </message>
    <message>
        <source>Batch size of each choice of resolution or transforms.</source>
        <translation>每个分辨率或变换选项对应的 batch 大小。</translation>
    </message>
    <message>
        <source>How likely each choice is; one number for each of batch_sizes.</source>
        <translation>每个选项的可能性；为 batch_sizes 的每一项给出一个数。</translation>
    </message>
    <message>
        <source>Seed of the schedule of batches.</source>
        <translation>batch 日程的种子。</translation>
    </message>
    <message>
        <source>Leave out the samples that fill none of the batch sizes.</source>
        <translation>舍去凑不满任何一种 batch 大小的样本。</translation>
    </message>
    <message>
        <source>Permute the batches of the schedule in every epoch.</source>
        <translation>在每个 epoch 打乱日程中的 batch。</translation>
    </message>
    <message>
        <source>Batches in an epoch, for which the samples are read again and again; none takes each sample once, or what a progressive schedule infers.</source>
        <translation>一个 epoch 的 batch 数，为此会反复读取样本；none 表示每个样本取一次，或由渐进日程推算。</translation>
    </message>
    <message>
        <source>Whether the choices move from the first to the last in the course of training.</source>
        <translation>选项是否随训练从第一个逐渐移到最后一个。</translation>
    </message>
    <message>
        <source>Epochs over which a progressive schedule moves; epochs is the spec&apos;s own number.</source>
        <translation>渐进日程移动所用的 epoch 数；epochs 表示配置自己的 epoch 数。</translation>
    </message>
    <message>
        <source>Width of a progressive schedule, in choices; 0 takes the nearest one only.</source>
        <translation>渐进日程的宽度，以选项为单位；0 只取最近的一个。</translation>
    </message>
    <message>
        <source>Share of a progressive schedule that is drawn evenly from all choices.</source>
        <translation>渐进日程中从所有选项均匀抽取的比例。</translation>
    </message>
    <message>
        <source>The sampler inside: torch&apos;s DistributedSampler, or the dataset in order.</source>
        <translation>内部的采样器：torch 的 DistributedSampler，或按顺序读取数据集。</translation>
    </message>
    <message>
        <source>Seed of the DistributedSampler inside; the epoch is added.</source>
        <translation>内部 DistributedSampler 的种子，会加上 epoch。</translation>
    </message>
    <message>
        <source>Whether the script calls set_epoch(epoch), which also tells the sampler inside; if it does not, every epoch repeats epoch 0.</source>
        <translation>脚本是否调用 set_epoch(epoch)，它也会通知内部的采样器；如果不调用，每个 epoch 都重复 epoch 0。</translation>
    </message>
    <message>
        <source>How often each sample comes in a row: the generations of a prompt.</source>
        <translation>每个样本连续出现的次数，即一个提示词的生成数。</translation>
    </message>
    <message>
        <source>Different samples in a chunk; a last chunk with fewer is dropped.</source>
        <translation>一个块中不同样本的个数；不满的最后一块会被舍去。</translation>
    </message>
    <message>
        <source>How often each chunk is handed out before the next one.</source>
        <translation>每个块在换到下一块之前给出多少次。</translation>
    </message>
    <message>
        <source>Permute the dataset in every pass.</source>
        <translation>每一遍都重新排列数据集。</translation>
    </message>
    <message>
        <source>Seed of its own generator, set once; none is the fixed seed of a new torch.Generator, not a random one.</source>
        <translation>它自己的生成器的种子，只设置一次；none 是新建 torch.Generator 的固定种子，而不是随机种子。</translation>
    </message>
    <message>
        <source>Whether torchrun started the script: a SmartDistributedSampler then divides the images; otherwise every process draws all of them by the loader&apos;s generator.</source>
        <translation>脚本是否由 torchrun 启动：若是，由 SmartDistributedSampler 划分图像；否则每个进程都按加载器的生成器抽取全部图像。</translation>
    </message>
    <message>
        <source>Permute the images in every epoch.</source>
        <translation>在每个 epoch 重新排列图像。</translation>
    </message>
    <message>
        <source>Permute each rank&apos;s images in every epoch.</source>
        <translation>在每个 epoch 重新排列每个 rank 自己的图像。</translation>
    </message>
    <message>
        <source>The script&apos;s --seed. It goes to the loader&apos;s generator, not to the SmartDistributedSampler, whose seed is always 0.</source>
        <translation>脚本的 --seed。它交给加载器的生成器，而不是种子始终为 0 的 SmartDistributedSampler。</translation>
    </message>
    <message>
        <source>Metrics of the curriculum, in the order of the configuration; without one, all samples are drawn from the first step on, as with a metric of single_cluster.</source>
        <translation>课程学习的指标，按配置中的顺序；没有指标时，从第一个 step 起就从全部样本中抽取，与采用 single_cluster 的指标相同。</translation>
    </message>
    <message>
        <source>What difficulties count: values of the metric, or percent of the samples.</source>
        <translation>难度的含义：指标的数值，或样本的百分比。</translation>
    </message>
    <message>
        <source>Whether the difficulty decides which samples are drawn.</source>
        <translation>难度是否决定抽取哪些样本。</translation>
    </message>
    <message>
        <source>Difficulty at the first step.</source>
        <translation>第一个 step 的难度。</translation>
    </message>
    <message>
        <source>Difficulty at which the schedule ends; 100 for all percent.</source>
        <translation>调度结束时的难度；按百分比时 100 表示全部。</translation>
    </message>
    <message>
        <source>How the difficulty rises; fixed_discrete takes it from sampler.stages.</source>
        <translation>难度如何上升；fixed_discrete 从 sampler.stages 读取。</translation>
    </message>
    <message>
        <source>Global batch at which the highest difficulty is reached.</source>
        <translation>在第几个全局 batch 达到最高难度。</translation>
    </message>
    <message>
        <source>Difficulties are multiples of this.</source>
        <translation>难度是它的倍数。</translation>
    </message>
    <message>
        <source>Degree of the root of fixed_root.</source>
        <translation>fixed_root 的开方次数。</translation>
    </message>
    <message>
        <source>Difficulties of the metrics whose schedule is fixed_discrete, in their order.</source>
        <translation>调度为 fixed_discrete 的指标的各阶段难度，按先后顺序。</translation>
    </message>
    <message>
        <source>Number of the metric, counted from 0.</source>
        <translation>指标的编号，从 0 开始。</translation>
    </message>
    <message>
        <source>Difficulty of the stage.</source>
        <translation>该阶段的难度。</translation>
    </message>
    <message>
        <source>Last global batch of the stage; the last stage of a metric has no end.</source>
        <translation>该阶段的最后一个全局 batch；指标的最后一个阶段没有终点。</translation>
    </message>
    <message>
        <source>Value of each sample by the first metric, then by the second, and so on; position counts the samples from 1 for each of them.</source>
        <translation>每个样本在第一个指标下的数值，然后是第二个指标，依此类推；position 表示对每个指标都从 1 开始给样本编号。</translation>
    </message>
    <message>
        <source>Epochs of the configuration, which decide when the sampler ends; epochs is the spec&apos;s own number.</source>
        <translation>配置中的 epoch 数，决定采样器何时结束；epochs 表示采用规格自身的数。</translation>
    </message>
    <message>
        <source>Steps that a global batch is cut into.</source>
        <translation>一个全局 batch 切成多少个 step。</translation>
    </message>
    <message>
        <source>Seed of all draws, used once.</source>
        <translation>所有抽取的种子，只使用一次。</translation>
    </message>
    <message>
        <source>Drop what a global batch holds behind its last whole step.</source>
        <translation>舍去全局 batch 中最后一个完整的 step 之后的样本。</translation>
    </message>
    <message>
        <source>Shuffle the shards, and the steps in each, with the seed 42 + rank.</source>
        <translation>以 42 + rank 为种子打乱 shard 以及每个 shard 中的 step。</translation>
    </message>
    <message>
        <source>c is llmc/dataloader.h, python the DistributedDataLoader of train_gpt2.py, which never shuffles.</source>
        <translation>c 是 llmc/dataloader.h，python 是 train_gpt2.py 的 DistributedDataLoader，后者从不打乱。</translation>
    </message>
    <message>
        <source>Batches of the endless stream that each rank takes per epoch of the plan; one_pass is as many as all shards hold.</source>
        <translation>每个 rank 在计划的一个 epoch 中从无尽的数据流取多少个 batch；one_pass 表示所有 shard 的总量。</translation>
    </message>
    <message>
        <source>Shard with which a resumed run of the c loader continues.</source>
        <translation>恢复运行时 c 加载器从哪个 shard 继续。</translation>
    </message>
    <message>
        <source>Steps of that shard that were read before the state was saved.</source>
        <translation>保存状态之前该 shard 已读取的 step 数。</translation>
    </message>
    <message>
        <source>What is limited: samples that an epoch leaves out, further readings of a sample, padding, samples that two ranks share, batches by which ranks differ, epochs that repeat an earlier one, or processes with the seed of another one.</source>
        <translation>限制的对象：epoch 遗漏的样本、样本的重复读取、填充、两个 rank 共享的样本、各 rank 相差的 batch、重复先前顺序的 epoch，或与其他进程种子相同的进程。</translation>
    </message>
    <message>
        <source>The most that the plan may have of it in any epoch.</source>
        <translation>计划在任一 epoch 中最多允许的量。</translation>
    </message>
    <message>
        <source>Whether the limit counts, or is a percentage: of the dataset, of the items handed out, of the smaller rank&apos;s samples, of the longest rank&apos;s batches, of the epochs, of the processes.</source>
        <translation>限制是计数还是百分比：占数据集、发出的项、较小 rank 的样本、最长 rank 的 batch、epoch 或进程的百分比。</translation>
    </message>
    <message>
        <source>Limits that `shardlens check` holds the plan to; empty means that there are none.</source>
        <translation>`shardlens check` 用来检查计划的限制；为空表示没有限制。</translation>
    </message>
    <message>
        <source>The mildest finding of the audit that fails `shardlens check`.</source>
        <translation>使 `shardlens check` 失败的最轻微的审计发现。</translation>
    </message>
    <message>
        <source>Seed of the torch.Generator that every rank hands to its DataLoader: base_seed is drawn from it. none: the rank&apos;s global generator.</source>
        <translation>每个 rank 交给其 DataLoader 的 torch.Generator 的种子：base_seed 由它抽取。none：rank 的全局生成器。</translation>
    </message>
    <message>
        <source>How workers are seeded: with base_seed + worker id (torch), by Lightning&apos;s worker_init_fn, which adds the rank (lightning), or in a way that is not known (unknown).</source>
        <translation>worker 如何设置种子：base_seed + worker id（torch）；Lightning 的 worker_init_fn，它加入 rank（lightning）；或未知的方式（unknown）。</translation>
    </message>
    <message>
        <source>How the script derives each rank&apos;s seed from the base. unseeded: the script never seeds, as in a file without the section seeds. unknown: it is not known whether or how the script seeds.</source>
        <translation>脚本如何从 base 得出每个 rank 的种子。unseeded：脚本从不设置种子，如同文件中没有 seeds 一节。unknown：脚本是否设置种子、如何设置均未知。</translation>
    </message>
    <message>
        <source>with_epoch(n) of the dataset: each worker&apos;s copy yields n samples per epoch, and begins its shards again where they end before; none means one pass.</source>
        <translation>数据集的 with_epoch(n)：每个 worker 的副本每个 epoch 产出 n 个样本，shard 提前读完时从头再读；none 表示只读一遍。</translation>
    </message>
    <message>
        <source>The torchdata version, which decides how a run continues: since 0.12 (main branch, 3 December 2025) the state of a StatefulDistributedSampler holds the epoch.</source>
        <translation>torchdata 的版本，决定运行如何继续：自 0.12 起（主分支，2025 年 12 月 3 日），StatefulDistributedSampler 的状态包含 epoch。</translation>
    </message>
    <message>
        <source>Seed of the RandomSampler&apos;s generator, used without use_seedable_sampler; none means that the script gives it none, and prepare() one that rank 0&apos;s torch.manual_seed decides.</source>
        <translation>RandomSampler 的生成器的种子，不使用 use_seedable_sampler 时有效；none 表示脚本没有给它生成器，由 prepare() 给出，其种子取决于 rank 0 的 torch.manual_seed。</translation>
    </message>
    <message>
        <source>The seed that the script passes to torch.manual_seed and np.random.seed, before the rule is applied. A sampler&apos;s seed base+rank adds the rank to it, too.</source>
        <translation>脚本在应用规则之前传给 torch.manual_seed 和 np.random.seed 的种子。采样器的种子 base+rank 也以它为基数，再加上 rank。</translation>
    </message>
    <message>
        <source>Shards that each worker draws in a pass; endless, WebDataset&apos;s default, needs with_epoch.</source>
        <translation>每个 worker 一遍抽取的 shard 数；endless 是 WebDataset 的默认值，需要 with_epoch。</translation>
    </message>
    <message>
        <source>Processes on each node, usually one per GPU: a number, or a list such as [2, 1] with one for each node.</source>
        <translation>每个节点上的进程数，通常每个 GPU 一个：一个数，或像 [2, 1] 这样每个节点一个数的列表。</translation>
    </message>
    <message>
        <source>Ranks that divide each layer: tensor parallelism. They must read the same samples.</source>
        <translation>分摊每一层的 rank 数：张量并行。它们必须读取相同的样本。</translation>
    </message>
    <message>
        <source>Ranks that divide each sequence: context parallelism. They must read the same samples.</source>
        <translation>分摊每个序列的 rank 数：上下文并行。它们必须读取相同的样本。</translation>
    </message>
    <message>
        <source>Ranks that divide the layers: pipeline parallelism. They must read the same samples.</source>
        <translation>分摊各层的 rank 数：流水线并行。它们必须读取相同的样本。</translation>
    </message>
    <message>
        <source>Ranks that divide the experts: expert parallelism. Who reads which samples does not depend on it.</source>
        <translation>分摊专家的 rank 数：专家并行。哪个 rank 读取哪些样本与它无关。</translation>
    </message>
    <message>
        <source>Ranks that divide each expert by tensor parallelism; 0 means as many as tensor.</source>
        <translation>以张量并行分摊每个专家的 rank 数；0 表示与 tensor 相同。</translation>
    </message>
    <message>
        <source>How ranks are numbered: the first varies fastest, so that tensor peers are neighbours. tp-cp-pp-dp is that of Megatron&apos;s --use-tp-pp-dp-mapping. In layers of experts, ep stands in the place of cp.</source>
        <translation>rank 的编号方式：第一个变化最快，因此同一张量并行组的 rank 相邻。tp-cp-pp-dp 对应 Megatron 的 --use-tp-pp-dp-mapping。在专家层中，ep 位于 cp 的位置。</translation>
    </message>
    <message>
        <source>What a rank does: it loads, computes, works on the host, or calls a collective, which waits for every rank of the group; send waits for recv. ddp, fsdp, zero_first, rank0_saves and evaluation stand for several phases.</source>
        <translation>rank 做什么：加载、计算、在主机上工作，或调用集合通信，它会等待组内的每个 rank；send 等待 recv。ddp、fsdp、zero_first、rank0_saves 和 evaluation 各代表若干阶段。</translation>
    </message>
    <message>
        <source>When: once before or after all epochs, before or after the steps of each epoch, or in each step of the rank.</source>
        <translation>何时：在所有 epoch 之前或之后一次，在每个 epoch 的 step 之前或之后，或在该 rank 的每个 step 中。</translation>
    </message>
    <message>
        <source>Which ranks do it, and in which steps or epochs: always, or comparisons such as rank == 0, local_rank in [0, 1], step % 100 == 0 and group_rank != last, joined by and.</source>
        <translation>哪些 rank 做，在哪些 step 或 epoch 中做：always，或以 and 连接的比较，例如 rank == 0、local_rank in [0, 1]、step % 100 == 0 and group_rank != last。</translation>
    </message>
    <message>
        <source>Whom a collective waits for: all ranks, or those of the rank&apos;s own group along a dimension of world.groups.</source>
        <translation>集合通信等待谁：所有 rank，或该 rank 沿 world.groups 某一维度所在组的 rank。</translation>
    </message>
    <message>
        <source>What all_reduce and reduce_scatter make of the values.</source>
        <translation>all_reduce 和 reduce_scatter 如何归约这些值。</translation>
    </message>
    <message>
        <source>The other rank of send and recv, by its number in the group, or next or previous in a ring; of broadcast, the rank whose values are sent, 0 where no number is given.</source>
        <translation>对 send 和 recv 是另一方 rank：组内编号，或环中的 next 或 previous；对 broadcast 是其值被发送的 rank，没有编号时为 0。</translation>
    </message>
    <message>
        <source>Groups by the ranks in each, in place of group: [[0, 1], [2, 3]]. Ranks that are in none of them leave the phase out.</source>
        <translation>用每组的 rank 列出各组，代替 group：[[0,1],[2,3]]。不在任何一组中的 rank 跳过这一阶段。</translation>
    </message>
    <message>
        <source>The numbers that each rank gives to all_reduce, rank 0 first: [[1, 2], [3, 4]]. They travel as 32-bit floats, and `shardlens rehearse` holds the result against the predicted one.</source>
        <translation>每个 rank 交给 all_reduce 的数，从 rank 0 开始：[[1,2],[3,4]]。它们以 32 位浮点数传输，`shardlens rehearse` 会把结果与预测值对照。</translation>
    </message>
    <message>
        <source>How long load, compute or host takes, or, for the prediction, a collective or message once all of its ranks are there.</source>
        <translation>load、compute 或 host 所用的时间；对集合通信或消息，是预测时从其所有 rank 到齐算起的时间。</translation>
    </message>
    <message>
        <source>Size of what a rank gives to a collective, or sends.</source>
        <translation>一个 rank 交给集合通信或发送的数据大小。</translation>
    </message>
    <message>
        <source>What each rank does, phase by phase: `shardlens audit` says where that would hang. Empty means that nothing is said about it.</source>
        <translation>每个 rank 逐阶段做什么：`shardlens audit` 会指出何处会死锁。空表示不作说明。</translation>
    </message>
    <message>
        <source>Samples in one rank&apos;s batch; the global batch is this times the number of replicas, and times gradient_accumulation_steps.</source>
        <translation>一个 rank 的批的样本数；全局批等于它乘以副本数，再乘以 gradient_accumulation_steps。</translation>
    </message>
    <message>
        <source>Batches of each rank whose gradients are added up before the optimizer takes a step. It changes no batch.</source>
        <translation>每个优化器 step 之前，每个 rank 累积梯度的批数。它不改变任何批。</translation>
    </message>
</context>
<context>
    <name>film</name>
    <message>
        <source>a film shows at most %1 batches, but one step of this design has %2.</source>
        <translation>影片最多显示 %1 个 batch，而此设计的一个 step 有 %2 个。</translation>
    </message>
    <message>
        <source>make a film of a design with fewer ranks</source>
        <translation>请用 rank 较少的设计制作影片</translation>
    </message>
    <message>
        <source>The film shows only the first of the %2 of epoch %1.</source>
        <translation>只显示 epoch %1 的 %2 中的第一个。</translation>
    </message>
    <message>
        <source>The film shows only the first %1 of the %3 of epoch %2.</source>
        <translation>只显示 epoch %2 的 %3 中的前 %1 个。</translation>
    </message>
    <message>
        <source>The film shows only the first of the %1 of each epoch.</source>
        <translation>只显示每个 epoch 的 %1 中的第一个。</translation>
    </message>
    <message>
        <source>The film shows only the first %1 of the %2 of each epoch.</source>
        <translation>只显示每个 epoch 的 %2 中的前 %1 个。</translation>
    </message>
    <message>
        <source>The film shows only epoch %1. The spec has %2.</source>
        <translation>影片只显示 epoch %1。该配置有 %2。</translation>
    </message>
    <message>
        <source>The film shows only epochs %1 and %2. The spec has %3.</source>
        <translation>影片只显示 epoch %1 和 %2。该配置有 %3。</translation>
    </message>
    <message>
        <source>The film shows only epochs %1 to %2. The spec has %3.</source>
        <translation>影片只显示 epoch %1 到 %2。该配置有 %3。</translation>
    </message>
</context>
<context>
    <name>findings</name>
    <message>
        <source>These are the recorded batches. The recording does not say why these were read.</source>
        <translation>这些是记录下来的 batch。记录没有说明为什么读取的是这些。</translation>
    </message>
    <message>
        <source>The sampler does what its parameters ask for.</source>
        <translation>采样器按其参数的要求工作。</translation>
    </message>
    <message>
        <source>Nothing that ShardLens knows about this sampler explains it.</source>
        <translation>ShardLens 对此采样器的了解无法解释这一点。</translation>
    </message>
    <message>
        <source>1 item repeats a sample</source>
        <translation>1 项重复了样本</translation>
    </message>
    <message>
        <source>the last sample of each epoch&apos;s order reaches no rank</source>
        <translation>每个 epoch 顺序中的最后一个样本到不了任何 rank</translation>
    </message>
    <message>
        <source>Each process reads the slice of its rank. A slice that belongs to no process is lost.</source>
        <translation>每个进程读取其 rank 的切片。不属于任何进程的切片会丢失。</translation>
    </message>
    <message>
        <source>The dataset is divided twice</source>
        <translation>数据集被切分了两次</translation>
    </message>
    <message>
        <source>Each rank gets a share of its own share. Let only one of them divide.</source>
        <translation>每个 rank 只得到自己那份中的一份。只应由其中之一切分。</translation>
    </message>
    <message>
        <source>Ranks take shares of different orders</source>
        <translation>各 rank 从不同的顺序中取各自的份额</translation>
    </message>
    <message>
        <source>Shares fit together only within one order. The ranks draw the same order only if their seeds are equal.</source>
        <translation>份额只有在同一个顺序内才能拼合，而各 rank 只有种子相同才会抽到同一个顺序。</translation>
    </message>
    <message>
        <source>1 sample is left out</source>
        <translation>1 个样本被排除</translation>
    </message>
    <message>
        <source>1 sample is skipped at the start of an epoch</source>
        <translation>epoch 开头跳过了 1 个样本</translation>
    </message>
    <message>
        <source>1 sample is missing</source>
        <translation>缺失 1 个样本</translation>
    </message>
    <message>
        <source>A known defect of the framework&apos;s shuffle skips one index and takes another one twice.</source>
        <translation>框架打乱逻辑的一个已知缺陷会跳过一个索引，并把另一个取两次。</translation>
    </message>
    <message>
        <source>Samples that do not divide evenly are cut.</source>
        <translation>不能整除的样本被截掉。</translation>
    </message>
    <message>
        <source>Short last batches are dropped</source>
        <translation>不满的最后一个 batch 被丢弃</translation>
    </message>
    <message>
        <source>loader.drop_last discards a last batch that is not full.</source>
        <translation>loader.drop_last 会丢弃不满的最后一个 batch。</translation>
    </message>
    <message>
        <source>1 item repeats a sample to fill the last batches.</source>
        <translation>1 项重复样本以补满最后的 batch。</translation>
    </message>
    <message>
        <source>1 item is padding</source>
        <translation>1 项是填充</translation>
    </message>
    <message>
        <source>Repeated samples weigh more in training, and an evaluation counts them twice: its result then depends on the number of ranks.</source>
        <translation>重复的样本在训练中权重更大，在评估中会被计算两次：结果因此取决于 rank 数量。</translation>
    </message>
    <message>
        <source>Both workers of each rank read the same samples</source>
        <translation>每个 rank 的两个 worker 都读取相同的样本</translation>
    </message>
    <message>
        <source>Workers read the same samples</source>
        <translation>worker 读取了相同的样本</translation>
    </message>
    <message>
        <source>Every worker has a copy of the dataset. Only get_worker_info() tells a copy which part is its own.</source>
        <translation>每个 worker 都有一份数据集副本。只有 get_worker_info() 能告诉副本哪一部分属于它。</translation>
    </message>
    <message>
        <source>A known defect of the framework&apos;s shuffle takes one index twice and skips another.</source>
        <translation>框架打乱逻辑的一个已知缺陷会把一个索引取两次并跳过另一个。</translation>
    </message>
    <message>
        <source>The only sample is handed out</source>
        <translation>唯一的样本被分发</translation>
    </message>
    <message>
        <source>Both samples are handed out</source>
        <translation>两个样本被分发</translation>
    </message>
    <message>
        <source>Every sample is read once</source>
        <translation>每个样本恰好读取一次</translation>
    </message>
    <message>
        <source>Every sample is read</source>
        <translation>每个样本都被读取</translation>
    </message>
    <message>
        <source>Counted sample by sample over all ranks.</source>
        <translation>在所有 rank 上逐个样本统计。</translation>
    </message>
    <message>
        <source>Every epoch has its own order</source>
        <translation>每个 epoch 都有自己的顺序</translation>
    </message>
    <message>
        <source>Compared batch by batch over all ranks.</source>
        <translation>在所有 rank 上逐个 batch 比较。</translation>
    </message>
    <message>
        <source>Nothing is shuffled</source>
        <translation>没有打乱</translation>
    </message>
    <message>
        <source>This is right for evaluation. In training, neighbours in the dataset always share a batch.</source>
        <translation>对评估来说是正确的。在训练中，数据集中相邻的样本总会在同一个 batch 中。</translation>
    </message>
    <message>
        <source>Every epoch has the same order</source>
        <translation>每个 epoch 的顺序都相同</translation>
    </message>
    <message>
        <source>The order comes from seed + epoch, and the sampler keeps its epoch until the script calls sampler.set_epoch(epoch) with another one.</source>
        <translation>顺序由 seed + epoch 决定，而在脚本用另一个 epoch 调用 sampler.set_epoch(epoch) 之前，采样器的 epoch 保持不变。</translation>
    </message>
    <message>
        <source>Every epoch has the same batches</source>
        <translation>每个 epoch 的 batch 都相同</translation>
    </message>
    <message>
        <source>Some epochs have the same batches</source>
        <translation>部分 epoch 的 batch 相同</translation>
    </message>
    <message>
        <source>The model sees the same batches in the same order again, and can learn that order.</source>
        <translation>模型会以同样的顺序再次看到同样的 batch，可能学到这个顺序。</translation>
    </message>
    <message>
        <source>Runs with neighbouring seeds have epochs in common</source>
        <translation>种子相邻的运行有共同的 epoch</translation>
    </message>
    <message>
        <source>The generator is seeded with seed + epoch, so runs over seeds 0, 1, 2 are not independent. Choose seeds that differ by more than the number of epochs.</source>
        <translation>生成器的种子是 seed + epoch，因此种子 0、1、2 的运行并不独立。请选择间隔大于 epoch 数的种子。</translation>
    </message>
    <message>
        <source>in every epoch</source>
        <translation>在每个 epoch 中</translation>
    </message>
    <message>
        <source>every sample is read twice</source>
        <translation>每个样本读取两次</translation>
    </message>
    <message>
        <source>1 sample is read more than once</source>
        <translation>1 个样本被多次读取</translation>
    </message>
    <message>
        <source>1 batch</source>
        <translation>1 个 batch</translation>
    </message>
    <message>
        <source>both ranks</source>
        <translation>两个 rank</translation>
    </message>
    <message>
        <source>Samples that are read more than once distort the result.</source>
        <translation>多次读取的样本会使结果失真。</translation>
    </message>
    <message>
        <source>Every rank draws the same batches</source>
        <translation>每个 rank 都抽到相同的 batch</translation>
    </message>
    <message>
        <source>Ranks draw the same batches</source>
        <translation>各 rank 抽到相同的 batch</translation>
    </message>
    <message>
        <source>Two nodes</source>
        <translation>两个节点</translation>
    </message>
    <message>
        <source>their seeds are equal</source>
        <translation>它们的种子相同</translation>
    </message>
    <message>
        <source>their parts are equal</source>
        <translation>它们的部分相同</translation>
    </message>
    <message>
        <source>their only sample</source>
        <translation>它们唯一的样本</translation>
    </message>
    <message>
        <source>both samples</source>
        <translation>全部两个样本</translation>
    </message>
    <message>
        <source>Ranks read the same samples</source>
        <translation>各 rank 读取了相同的样本</translation>
    </message>
    <message>
        <source>Each of these items takes time on its rank and adds no new sample to the epoch.</source>
        <translation>这些项各自占用所在 rank 的时间，却没有给该 epoch 增加新的样本。</translation>
    </message>
    <message>
        <source>Ranks may draw the same sample</source>
        <translation>不同 rank 可能抽到同一个样本</translation>
    </message>
    <message>
        <source>Ranks overlap: their orders differ</source>
        <translation>rank 之间有重叠：它们的顺序不同</translation>
    </message>
    <message>
        <source>Ranks overlap: each one shuffles alone</source>
        <translation>rank 之间有重叠：各自独立打乱</translation>
    </message>
    <message>
        <source>The only pair shares samples</source>
        <translation>唯一的一对共享样本</translation>
    </message>
    <message>
        <source>Each rank takes its share of an order of its own. The shares fit together only when all ranks draw the same order.</source>
        <translation>每个 rank 从自己的顺序中取份额。只有所有 rank 抽到同一个顺序，份额才能拼合。</translation>
    </message>
    <message>
        <source>No two ranks share a sample, padding aside</source>
        <translation>除填充外，任意两个 rank 都没有共享样本</translation>
    </message>
    <message>
        <source>No two ranks share a sample</source>
        <translation>任意两个 rank 都没有共享样本</translation>
    </message>
    <message>
        <source>Every rank adds samples of its own to the global batch.</source>
        <translation>每个 rank 都为全局 batch 贡献自己的样本。</translation>
    </message>
    <message>
        <source>the same seed</source>
        <translation>相同的种子</translation>
    </message>
    <message>
        <source>the same stream</source>
        <translation>相同的随机流</translation>
    </message>
    <message>
        <source>Every rank draws the same random numbers</source>
        <translation>每个 rank 都抽到相同的随机数</translation>
    </message>
    <message>
        <source>Both nodes draw the same random numbers</source>
        <translation>两个节点抽到相同的随机数</translation>
    </message>
    <message>
        <source>Workers share a random stream by chance</source>
        <translation>有 worker 偶然共享随机流</translation>
    </message>
    <message>
        <source>A worker&apos;s seed is base_seed + its number, and torch&apos;s CPU generator keeps only the low 32 bits of it.</source>
        <translation>worker 的种子是 base_seed + 编号，而 torch 的 CPU 生成器只保留其低 32 位。</translation>
    </message>
    <message>
        <source>Workers of every rank draw the same random numbers</source>
        <translation>各 rank 的 worker 抽到相同的随机数</translation>
    </message>
    <message>
        <source>The loader draws base_seed from its generator, so the ranks&apos; own seeds do not reach the workers.</source>
        <translation>加载器从自己的生成器抽取 base_seed，因此各 rank 自己的种子到不了 worker。</translation>
    </message>
    <message>
        <source>Ranks repeat each other&apos;s epochs</source>
        <translation>各 rank 重复彼此的 epoch</translation>
    </message>
    <message>
        <source>base + rank + epoch gives the same sum for many pairs of rank and epoch. Seed once with base + rank: the stream then continues by itself.</source>
        <translation>base + rank + epoch 对许多 rank 和 epoch 得到同一个和。请只用 base + rank 设置一次种子：随机流之后会自行继续。</translation>
    </message>
    <message>
        <source>Compared as torch&apos;s CPU generator uses seeds: their low 32 bits.</source>
        <translation>按 torch 的 CPU 生成器使用种子的方式比较：取低 32 位。</translation>
    </message>
    <message>
        <source>that rank</source>
        <translation>该 rank</translation>
    </message>
    <message>
        <source>The only rank has</source>
        <translation>唯一的 rank 有</translation>
    </message>
    <message>
        <source>No rank runs out early</source>
        <translation>没有 rank 提前读完数据</translation>
    </message>
    <message>
        <source>The dataset is empty</source>
        <translation>数据集为空</translation>
    </message>
    <message>
        <source>There are fewer samples than slices, and samples that do not divide evenly are dropped.</source>
        <translation>样本数少于切片数，不能整除的部分被丢弃。</translation>
    </message>
    <message>
        <source>This rank stays in step, but the model must skip its empty batches.</source>
        <translation>该 rank 保持同步，但模型必须跳过它的空 batch。</translation>
    </message>
    <message>
        <source>These ranks stay in step, but the model must skip their empty batches.</source>
        <translation>这些 rank 保持同步，但模型必须跳过它们的空 batch。</translation>
    </message>
    <message>
        <source>No rank gets a batch</source>
        <translation>没有 rank 得到 batch</translation>
    </message>
    <message>
        <source>A rank has</source>
        <translation>一个 rank 有</translation>
    </message>
    <message>
        <source>per epoch</source>
        <translation>每个 epoch</translation>
    </message>
    <message>
        <source>batch_size is per rank: the dataset is divided among the ranks first.</source>
        <translation>batch_size 是每个 rank 的：数据集会先在各 rank 之间切分。</translation>
    </message>
    <message>
        <source>The last batch is short</source>
        <translation>最后一个 batch 不满</translation>
    </message>
    <message>
        <source>The mean over a short batch gives each of its samples more weight.</source>
        <translation>对不满的 batch 求平均会使其中每个样本的权重更大。</translation>
    </message>
    <message>
        <source>Every worker is a process with its own copy of the dataset object.</source>
        <translation>每个 worker 都是一个进程，有自己的数据集对象副本。</translation>
    </message>
    <message>
        <source>%1, 1 of %2 reaches no rank</source>
        <translation>%1，%2中有 1 个到不了任何 rank</translation>
    </message>
    <message>
        <source>%1, %2 of %3 reach no rank</source>
        <translation>%1，%3中有 %2 个到不了任何 rank</translation>
    </message>
    <message>
        <source>%1 is not among the sampler&apos;s indices</source>
        <translation>%1 个不在采样器的索引中</translation>
    </message>
    <message>
        <source>%1 are not among the sampler&apos;s indices</source>
        <translation>%1 个不在采样器的索引中</translation>
    </message>
    <message>
        <source>%1 is outside the part that the sampler uses</source>
        <translation>%1 个在采样器使用的部分之外</translation>
    </message>
    <message>
        <source>%1 are outside the part that the sampler uses</source>
        <translation>%1 个在采样器使用的部分之外</translation>
    </message>
    <message>
        <source>%1 has weight 0</source>
        <translation>%1 个权重为 0</translation>
    </message>
    <message>
        <source>%1 have weight 0</source>
        <translation>%1 个权重为 0</translation>
    </message>
    <message>
        <source>%1 has no weight</source>
        <translation>%1 个没有权重</translation>
    </message>
    <message>
        <source>%1 have no weight</source>
        <translation>%1 个没有权重</translation>
    </message>
    <message>
        <source>%1 was read before the state was saved</source>
        <translation>%1 个在保存状态之前已读取</translation>
    </message>
    <message>
        <source>%1 were read before the state was saved</source>
        <translation>%1 个在保存状态之前已读取</translation>
    </message>
    <message>
        <source>%1 waits for a batch of a later epoch</source>
        <translation>%1 个在等待之后 epoch 的 batch</translation>
    </message>
    <message>
        <source>%1 wait for a batch of a later epoch</source>
        <translation>%1 个在等待之后 epoch 的 batch</translation>
    </message>
    <message>
        <source>%1 from another pass in the same epoch</source>
        <translation>%1 项来自同一 epoch 的另一遍</translation>
    </message>
    <message>
        <source>%1 for ranks that are meant to read the same samples</source>
        <translation>%1 项属于本应读取相同样本的 rank</translation>
    </message>
    <message>
        <source>%1, 1 of %2 repeats a sample</source>
        <translation>%1，%2中有 1 项重复了样本</translation>
    </message>
    <message>
        <source>%1, %2 of %3 repeat samples</source>
        <translation>%1，%3中有 %2 项重复了样本</translation>
    </message>
    <message>
        <source>%1 items repeat samples</source>
        <translation>%1 项重复了样本</translation>
    </message>
    <message>
        <source>the last sample of the order reaches no rank %1</source>
        <translation>顺序中的最后一个样本%1到不了任何 rank</translation>
    </message>
    <message>
        <source>the last %1 samples of each epoch&apos;s order reach no rank</source>
        <translation>每个 epoch 顺序中的最后 %1 个样本到不了任何 rank</translation>
    </message>
    <message>
        <source>the last %1 samples of the order reach no rank %2</source>
        <translation>顺序中的最后 %1 个样本%2到不了任何 rank</translation>
    </message>
    <message>
        <source>The sampler adds 1 item that repeats a sample.</source>
        <translation>采样器添加了 1 个重复样本的项。</translation>
    </message>
    <message>
        <source>The sampler adds %1 items that repeat samples.</source>
        <translation>采样器添加了 %1 个重复样本的项。</translation>
    </message>
    <message>
        <source>%1 discards samples that do not fill a batch on every rank.</source>
        <translation>%1 会丢弃不能让每个 rank 都凑满一个 batch 的部分。</translation>
    </message>
    <message>
        <source>There are fewer samples than slices.</source>
        <translation>样本数少于切片数。</translation>
    </message>
    <message>
        <source>%1 is not used</source>
        <translation>未使用 %1</translation>
    </message>
    <message>
        <source>%1 are not used</source>
        <translation>未使用 %1</translation>
    </message>
    <message>
        <source>The sampler does not read it.</source>
        <translation>采样器不读取它。</translation>
    </message>
    <message>
        <source>The sampler does not read them.</source>
        <translation>采样器不读取它们。</translation>
    </message>
    <message>
        <source>The plan is the same without it.</source>
        <translation>没有它，方案也一样。</translation>
    </message>
    <message>
        <source>The plan is the same without them.</source>
        <translation>没有它们，方案也一样。</translation>
    </message>
    <message>
        <source> The ranks read %1.</source>
        <translation>各 rank 读取了 %1。</translation>
    </message>
    <message>
        <source>1 sample cannot fill %1: the sampler repeats it until each slice has one.</source>
        <translation>1 个样本不够 %1：采样器重复它，直到每个切片都有一个。</translation>
    </message>
    <message>
        <source>%1 samples cannot fill %2: the sampler repeats them until each slice has one.</source>
        <translation>%1 个样本不够 %2：采样器重复它们，直到每个切片都有一个。</translation>
    </message>
    <message>
        <source>%1 is not a multiple of %2: the sampler repeats its first sample.</source>
        <translation>%1 不是 %2 的倍数：采样器重复其第一个样本。</translation>
    </message>
    <message>
        <source>%1 is not a multiple of %2: the sampler repeats its first %3.</source>
        <translation>%1 不是 %2 的倍数：采样器重复其前 %3。</translation>
    </message>
    <message>
        <source>1 of %1 is never read</source>
        <translation>%1中有 1 个从未被读取</translation>
    </message>
    <message>
        <source>%1 of %2 are never read</source>
        <translation>%2中有 %1 个从未被读取</translation>
    </message>
    <message>
        <source>The sampler divides by %1, and the ranks ask for %2: %3.</source>
        <translation>采样器按 %1 份切分，而各 rank 只取 %2：%3。</translation>
    </message>
    <message>
        <source>The inner sampler divides by %1, and %2 divides its share among the ranks again: %3.</source>
        <translation>内层采样器按 %1 份切分，而 %2 又把它的份额在各 rank 之间再切一次：%3。</translation>
    </message>
    <message>
        <source>Each rank draws a different order and takes its share of it: %1.</source>
        <translation>每个 rank 抽到不同的顺序并取其中的份额：%1。</translation>
    </message>
    <message>
        <source>%1 (num_samples is %2)</source>
        <translation>%1（num_samples 为 %2）</translation>
    </message>
    <message>
        <source>%1 samples are left out</source>
        <translation>%1 个样本被排除</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>%1 samples are skipped at the start of an epoch</source>
        <translation>epoch 开头跳过了 %1 个样本</translation>
    </message>
    <message>
        <source>%1: the epoch does not begin with its first samples.</source>
        <translation>%1：该 epoch 没有从最前面的样本开始。</translation>
    </message>
    <message>
        <source>The count of consumed samples is not reset between epochs, so an epoch begins at that count: look at %1.</source>
        <translation>已消费样本的计数在 epoch 之间没有重置，而 epoch 会从该计数处开始：请查看 %1。</translation>
    </message>
    <message>
        <source>%1 samples are missing</source>
        <translation>缺失 %1 个样本</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>The sampler drops %1</source>
        <translation>采样器丢弃 %1</translation>
    </message>
    <message>
        <source>%1 is not a multiple of %2: %3.</source>
        <translation>%1 不是 %2 的倍数：%3。</translation>
    </message>
    <message>
        <source>The sampler hands out only what divides evenly: %1.</source>
        <translation>采样器只分发能整除的部分：%1。</translation>
    </message>
    <message>
        <source>The last batch has %1 of %2</source>
        <translation>最后一个 batch 有 %2中的 %1 个</translation>
    </message>
    <message>
        <source>Each rank&apos;s last batch has %1 of %2</source>
        <translation>每个 rank 的最后一个 batch 有 %2中的 %1 个</translation>
    </message>
    <message>
        <source>%1: %2 per epoch goes unused.</source>
        <translation>%1：每个 epoch 有 %2未使用。</translation>
    </message>
    <message>
        <source>%1: %2 goes unused %3.</source>
        <translation>%1：%3有 %2未使用。</translation>
    </message>
    <message>
        <source>%1: %2 per epoch go unused.</source>
        <translation>%1：每个 epoch 有 %2未使用。</translation>
    </message>
    <message>
        <source>%1: %2 go unused %3.</source>
        <translation>%1：%3有 %2未使用。</translation>
    </message>
    <message>
        <source>The loader drops %1</source>
        <translation>加载器丢弃 %1</translation>
    </message>
    <message>
        <source>%1 items repeat samples to fill the last batches.</source>
        <translation>%1 项重复样本以补满最后的 batch。</translation>
    </message>
    <message>
        <source>%1 items are padding</source>
        <translation>%1 项是填充</translation>
    </message>
    <message>
        <source>%1: %2; %3.</source>
        <translation>%1：%2；%3。</translation>
    </message>
    <message>
        <source>All %1 workers of each rank read the same samples</source>
        <translation>每个 rank 的 %1 个 worker 都读取相同的样本</translation>
    </message>
    <message>
        <source>All %1 samples are handed out</source>
        <translation>全部 %1 个样本被分发</translation>
    </message>
    <message>
        <source>%1 exactly once %2.</source>
        <translation>%2，%1恰好一次。</translation>
    </message>
    <message>
        <source>%1 %2; only padding repeats.</source>
        <translation>%1，%2；只有填充会重复。</translation>
    </message>
    <message>
        <source>The first %1 of %2</source>
        <translation>%2 中的前 %1 个</translation>
    </message>
    <message>
        <source>All %1</source>
        <translation>全部 %1</translation>
    </message>
    <message>
        <source>%1 were compared: no two have the same batches.</source>
        <translation>已比较：%1；没有两个的 batch 相同。</translation>
    </message>
    <message>
        <source>%1 have the same batches, in the order of the dataset.</source>
        <translation>%1 的 batch 相同，且按数据集的顺序。</translation>
    </message>
    <message>
        <source>%1 have the same batches: set_epoch is never called with another epoch.</source>
        <translation>%1 的 batch 相同：从未用另一个 epoch 调用 set_epoch。</translation>
    </message>
    <message>
        <source>all %1</source>
        <translation>全部 %1</translation>
    </message>
    <message>
        <source>the first %1 of %2</source>
        <translation>%2 中的前 %1 个</translation>
    </message>
    <message>
        <source>%1 have the same batches.</source>
        <translation>%1 的 batch 相同。</translation>
    </message>
    <message>
        <source>Epoch %1 repeats the batches of an earlier epoch; %2 were compared.</source>
        <translation>epoch %1 重复了更早 epoch 的 batch；比较了 %2。</translation>
    </message>
    <message>
        <source>Epochs %1 repeat the batches of an earlier epoch; %2 were compared.</source>
        <translation>epoch %1 重复了更早 epoch 的 batch；比较了 %2。</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation>（共 %1）</translation>
    </message>
    <message>
        <source>in epoch %1%2</source>
        <translation>在 epoch %1%2</translation>
    </message>
    <message>
        <source>in epochs %1%2</source>
        <translation>在 epoch %1%2</translation>
    </message>
    <message>
        <source>every sample is read %1 times</source>
        <translation>每个样本读取 %1 次</translation>
    </message>
    <message>
        <source>%1 samples are read more than once</source>
        <translation>%1 个样本被多次读取</translation>
    </message>
    <message>
        <source>of the %1</source>
        <translation>全部 %1</translation>
    </message>
    <message>
        <source> 1 sample is never read in any %1.</source>
        <translation>1 个样本在%1中都从未被读取。</translation>
    </message>
    <message>
        <source> %1 samples are never read in any %2.</source>
        <translation>%1 个样本在%2中都从未被读取。</translation>
    </message>
    <message>
        <source> Over the audited epochs, the number ranges from %1 to %2.</source>
        <translation>在已审计的 epoch 中，该数从 %1 到 %2。</translation>
    </message>
    <message>
        <source>%1 batches</source>
        <translation>%1 个 batch</translation>
    </message>
    <message>
        <source>all %1 ranks</source>
        <translation>全部 %1 个 rank</translation>
    </message>
    <message>
        <source>Ranks %1 and %2 share</source>
        <translation>rank %1 和 %2 共享</translation>
    </message>
    <message>
        <source>Pairs %1 share</source>
        <translation>rank 对 %1 共享</translation>
    </message>
    <message>
        <source>Ranks %1 share</source>
        <translation>rank %1 共享</translation>
    </message>
    <message>
        <source>Pairs %1 and %2 share</source>
        <translation>rank 对 %1 以及%2共享</translation>
    </message>
    <message>
        <source>Ranks %1, and those of %2, share</source>
        <translation>rank %1 以及 %2的 rank 共享</translation>
    </message>
    <message>
        <source> Only the first %1 were compared.</source>
        <translation>只比较了前 %1。</translation>
    </message>
    <message>
        <source>%1 read the same slices</source>
        <translation>%1读取相同的切片</translation>
    </message>
    <message>
        <source>%1 draw the same batches</source>
        <translation>%1抽到相同的 batch</translation>
    </message>
    <message>
        <source> The global batch is really %1, not %2.</source>
        <translation>全局 batch 实际是 %1，而不是 %2。</translation>
    </message>
    <message>
        <source>%1 does not divide samples among ranks</source>
        <translation>%1 不在各 rank 之间切分样本</translation>
    </message>
    <message>
        <source>the sampler divides by %1</source>
        <translation>采样器按 %1 份切分</translation>
    </message>
    <message>
        <source>the sampler got %1, not %2</source>
        <translation>采样器得到的是 %1，而不是 %2</translation>
    </message>
    <message>
        <source>all %1 to %2</source>
        <translation>全部 %1 至 %2</translation>
    </message>
    <message>
        <source>%1 %2: %3.</source>
        <translation>%1%2：%3。</translation>
    </message>
    <message>
        <source>%1, 1 of %2 repeats what another rank reads</source>
        <translation>%1，%2中有 1 项重复了另一个 rank 读取的内容</translation>
    </message>
    <message>
        <source>%1, %2 of %3 repeat what another rank reads</source>
        <translation>%1，%3中有 %2 项重复了另一个 rank 读取的内容</translation>
    </message>
    <message>
        <source>1 of %1 shares samples</source>
        <translation>%1中有 1 对共享样本</translation>
    </message>
    <message>
        <source>%1 of %2 share samples</source>
        <translation>%2中有 %1 对共享样本</translation>
    </message>
    <message>
        <source>%1 draws for its own process and does not know about the other rank, so an epoch reads samples several times.</source>
        <translation>%1 只为自己的进程抽样，不知道另一个 rank：一个 epoch 会多次读取样本。</translation>
    </message>
    <message>
        <source>%1 draws for its own process and does not know about the other %2, so an epoch reads samples several times.</source>
        <translation>%1 只为自己的进程抽样，不知道其他 %2：一个 epoch 会多次读取样本。</translation>
    </message>
    <message>
        <source>%1: ranks %2 and %3 share %4 of %5.</source>
        <translation>%1：rank %2 和 %3 共享 %5 个中的 %4 个。</translation>
    </message>
    <message>
        <source>%1 compared: %2 %3.</source>
        <translation>比较了 %1：%2，%3。</translation>
    </message>
    <message>
        <source>Counted sample by sample: %1 %2.</source>
        <translation>逐个样本统计：%1，%2。</translation>
    </message>
    <message>
        <source> Their %1 have %2.</source>
        <translation>它们的 %1 使用 %2。</translation>
    </message>
    <message>
        <source>%1 seed torch with %2.</source>
        <translation>%1 都用 %2 设置 torch 的种子。</translation>
    </message>
    <message>
        <source>All %1 nodes draw the same random numbers</source>
        <translation>全部 %1 个节点抽到相同的随机数</translation>
    </message>
    <message>
        <source>%1 have %2: local_rank starts at 0 on every node.</source>
        <translation>%1 使用 %2：local_rank 在每个节点上都从 0 开始。</translation>
    </message>
    <message>
        <source> %1 was compared.</source>
        <translation>比较了 %1。</translation>
    </message>
    <message>
        <source> %1 were compared.</source>
        <translation>比较了 %1。</translation>
    </message>
    <message>
        <source>%1 have %2: every rank gives its loader a generator with the same seed.</source>
        <translation>%1 使用 %2：每个 rank 都给加载器一个种子相同的生成器。</translation>
    </message>
    <message>
        <source>Rank %1 has</source>
        <translation>rank %1 有</translation>
    </message>
    <message>
        <source>Ranks %1 have</source>
        <translation>rank %1 有</translation>
    </message>
    <message>
        <source> A script can also train under %1, which answers DDP&apos;s all-reduce, and no other collective, for ranks that have run out;</source>
        <translation>脚本也可以在 %1 下训练，它会代已用完的 rank 响应 DDP 的 all-reduce（不包括其他集合通信）；</translation>
    </message>
    <message>
        <source>those %1</source>
        <translation>那 %1</translation>
    </message>
    <message>
        <source> in the last %1 %2, and any that run out later, add nothing to the gradients.</source>
        <translation>在最后 %1 中，%2 以及之后用完的 rank 对梯度没有贡献。</translation>
    </message>
    <message>
        <source> in the last step %1 adds nothing to the gradients.</source>
        <translation>在最后一个 step，%1对梯度没有贡献。</translation>
    </message>
    <message>
        <source> in the last step %1 add nothing to the gradients.</source>
        <translation>在最后一个 step，%1对梯度没有贡献。</translation>
    </message>
    <message>
        <source>in the first %1 of %2</source>
        <translation>在 %2 中的前 %1 个</translation>
    </message>
    <message>
        <source>%1 have</source>
        <translation>%1 都有</translation>
    </message>
    <message>
        <source>%1 %2 %3.</source>
        <translation>%1 %2，%3。</translation>
    </message>
    <message>
        <source>Rank %1 runs out first</source>
        <translation>rank %1 最先用完</translation>
    </message>
    <message>
        <source>Ranks %1 run out first</source>
        <translation>rank %1 最先用完</translation>
    </message>
    <message>
        <source> Epoch %1 of %2 is the first in which this happens.</source>
        <translation>这首次发生在 epoch %1（共 %2）。</translation>
    </message>
    <message>
        <source>No rank gets a sample%1</source>
        <translation>没有 rank 得到样本%1</translation>
    </message>
    <message>
        <source>%1 without samples</source>
        <translation>%1 没有样本</translation>
    </message>
    <message>
        <source>The only rank gets 0 of %1%2.</source>
        <translation>唯一的 rank 得到 %1中的 0 个 %2。</translation>
    </message>
    <message>
        <source>Each of %1 gets 0 of %2%3.</source>
        <translation>%1 各得到 %2中的 0 个%3。</translation>
    </message>
    <message>
        <source>%1 no sample%2.</source>
        <translation>%1 0 个样本%2。</translation>
    </message>
    <message>
        <source>%1 no samples%2, only %3 without any.</source>
        <translation>%1 0 个样本%2，只有 %3空 batch。</translation>
    </message>
    <message>
        <source>%1 no sample%2</source>
        <translation>%1 0 个样本%2</translation>
    </message>
    <message>
        <source>The sampler leaves out samples that were read before: look at %1.</source>
        <translation>采样器排除了之前读取过的内容：请查看 %1。</translation>
    </message>
    <message>
        <source>The sampler deals this rank nothing: look at %1.</source>
        <translation>采样器没有分给该 rank 任何样本：请查看 %1。</translation>
    </message>
    <message>
        <source>The sampler deals these ranks nothing: look at %1.</source>
        <translation>采样器没有分给这些 rank 任何样本：请查看 %1。</translation>
    </message>
    <message>
        <source> in the last %1 %2 add nothing to the gradients.</source>
        <translation>在最后 %1，%2对梯度没有贡献。</translation>
    </message>
    <message>
        <source> in the last %1 %2 adds nothing to the gradients.</source>
        <translation>在最后 %1，%2对梯度没有贡献。</translation>
    </message>
    <message>
        <source>There is nothing to read.</source>
        <translation>没有可读的内容。</translation>
    </message>
    <message>
        <source>%1, no batch is made: 1 of %2 goes unused.</source>
        <translation>%1，没有生成 batch：%2中有 1 个未使用。</translation>
    </message>
    <message>
        <source>%1, no batch is made: %2 of %3 go unused.</source>
        <translation>%1，没有生成 batch：%3中有 %2 个未使用。</translation>
    </message>
    <message>
        <source>1 batch is empty</source>
        <translation>1 个 batch 为空</translation>
    </message>
    <message>
        <source>%1 batches are empty</source>
        <translation>%1 个 batch 为空</translation>
    </message>
    <message>
        <source>Rank %1 gets no sample in step %2.</source>
        <translation>rank %1 在 step %2 没有样本。</translation>
    </message>
    <message>
        <source>%1 batches have no sample; the first is that of rank %2 in step %3.</source>
        <translation>%1 个 batch 没有样本；第一个是 rank %2 在 step %3 的 batch。</translation>
    </message>
    <message>
        <source>PyTorch&apos;s default_collate raises IndexError for an empty batch.</source>
        <translation>PyTorch 的 default_collate 遇到空 batch 时抛出 IndexError。</translation>
    </message>
    <message>
        <source>No worker or rank has enough samples for a whole batch of %1.</source>
        <translation>没有 worker 或 rank 有足够的样本组成大小为 %1 的完整 batch。</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>%1 %2 %3, and batch_size is %4.</source>
        <translation>%1 %2（%3），而 batch_size 为 %4。</translation>
    </message>
    <message>
        <source>%1 %2 %3, and batch_size is %4: the short batch is dropped, so the rank makes no step.</source>
        <translation>%1 %2（%3），而 batch_size 为 %4：不满的 batch 被丢弃，因此该 rank 没有 step。</translation>
    </message>
    <message>
        <source>%1 %2 %3, and batch_size is %4: the short batch is dropped, so these ranks make no step.</source>
        <translation>%1 %2（%3），而 batch_size 为 %4：不满的 batch 被丢弃，因此这些 rank 没有 step。</translation>
    </message>
    <message>
        <source>The loader drops the only batch%1</source>
        <translation>加载器丢弃唯一的 batch%1</translation>
    </message>
    <message>
        <source>The batch%1 is never full</source>
        <translation>batch%1从不满</translation>
    </message>
    <message>
        <source>The batch%1 is not full</source>
        <translation>batch%1不满</translation>
    </message>
    <message>
        <source>1 of %1 never loads a batch</source>
        <translation>%1 中有 1 个从不加载 batch</translation>
    </message>
    <message>
        <source>%1 of %2 never load a batch</source>
        <translation>%2 中有 %1 个从不加载 batch</translation>
    </message>
    <message>
        <source>No rank has more than %1 with anything to read: the dataset divides its shards or samples among them itself.</source>
        <translation>没有 rank 有超过 %1 可读取内容：数据集自行在它们之间切分 shard 或样本。</translation>
    </message>
    <message>
        <source>Each rank has at most %1 per epoch, and batch i goes to worker i mod %2.</source>
        <translation>每个 rank 每个 epoch 至多 %1，而 batch i 由 worker i mod %2 加载。</translation>
    </message>
    <message>
        <source>%1, 1 of %2 reaches no rank for this reason</source>
        <translation>%1，因此%2中有 1 个到不了任何 rank</translation>
    </message>
    <message>
        <source>%1, %2 of %3 reach no rank for this reason</source>
        <translation>%1，因此%3中有 %2 个到不了任何 rank</translation>
    </message>
    <message>
        <source>%1 was not drawn</source>
        <translation>%1 个没有被抽到</translation>
    </message>
    <message>
        <source>%1 were not drawn</source>
        <translation>%1 个没有被抽到</translation>
    </message>
    <message>
        <source>%1 by drawing with replacement</source>
        <translation>%1 项因有放回抽样</translation>
    </message>
    <message>
        <source>%1 by the sampler&apos;s repeat factors</source>
        <translation>%1 项因采样器的重复因子</translation>
    </message>
    <message>
        <source>%1 to balance the classes</source>
        <translation>%1 项为平衡类别</translation>
    </message>
    <message>
        <source>%1 because the list has samples more than once</source>
        <translation>%1 项因列表多次列出样本</translation>
    </message>
    <message>
        <source>%1 from a stream that starts over, or from samples in both streams</source>
        <translation>%1 项来自重新开始的流，或来自同时在两个流中的样本</translation>
    </message>
    <message>
        <source>%1: %2, 1 of %3 repeats what another worker of the rank reads.</source>
        <translation>%1：%2，%3中有 1 项重复该 rank 的另一个 worker 读取的内容。</translation>
    </message>
    <message>
        <source>%1: %2, %3 of %4 repeat what another worker of the rank reads.</source>
        <translation>%1：%2，%4中有 %3 项重复该 rank 的另一个 worker 读取的内容。</translation>
    </message>
    <message>
        <source> Over all ranks, %1.</source>
        <translation>在所有 rank 上，%1。</translation>
    </message>
    <message>
        <source>of epochs %1 to %2%3</source>
        <translation>epoch %1 至 %2%3</translation>
    </message>
    <message>
        <source> In all, 1 sample is never read in any %1.</source>
        <translation>总共有 1 个样本在%1中都从未被读取。</translation>
    </message>
    <message>
        <source> In all, %1 samples are never read in any %2.</source>
        <translation>总共有 %1 个样本在%2中都从未被读取。</translation>
    </message>
    <message>
        <source> This happens in %1.</source>
        <translation>这发生在 %1。</translation>
    </message>
    <message>
        <source>%1 has different numbers.</source>
        <translation>%1 的数量不同。</translation>
    </message>
    <message>
        <source>%1 have different numbers.</source>
        <translation>%1 的数量不同。</translation>
    </message>
    <message>
        <source> This is for %1; %2</source>
        <translation>这里说的是 %1；%2</translation>
    </message>
    <message>
        <source> This was counted %1.</source>
        <translation>这是%1统计的。</translation>
    </message>
    <message>
        <source>%1 no batch</source>
        <translation>%1 0 个 batch</translation>
    </message>
    <message>
        <source>%1 only %2</source>
        <translation>%1仅 %2</translation>
    </message>
    <message>
        <source>%1; the other rank has %2</source>
        <translation>%1；另一个 rank 有 %2 个</translation>
    </message>
    <message>
        <source>%1; the others have up to %2</source>
        <translation>%1；其他 rank 至多有 %2 个</translation>
    </message>
    <message>
        <source>A collective completes when every rank has entered it, and a rank whose loader has run out makes no further step in that epoch.</source>
        <translation>只有所有 rank 都进入后，集合通信才会完成；而加载器已耗尽的 rank 在该 epoch 中不会再执行 step。</translation>
    </message>
    <message>
        <source>Samples that such a rank draws wait until a batch of their group is full: look at %1.</source>
        <translation>这样的 rank 抽取的样本要等到其组的 batch 装满：请查看 %1。</translation>
    </message>
    <message>
        <source>The ranks draw %1 different orders, and each takes its share of its own: %2.</source>
        <translation>各 rank 共抽到 %1 种不同的顺序，每个 rank 取自己那种顺序中的份额：%2。</translation>
    </message>
    <message>
        <source>It has %1 of %2, in %3.</source>
        <translation>它有 %2中的 %1 个，在 %3。</translation>
    </message>
    <message>
        <source>On every rank, it has %1 of %2, in %3.</source>
        <translation>在每个 rank 上它都有 %2中的 %1 个，在 %3。</translation>
    </message>
    <message>
        <source>On rank %1, it has %2 of %3, in %4.</source>
        <translation>在 rank %1 上它有 %3中的 %2 个，在 %4。</translation>
    </message>
    <message>
        <source>On ranks %1, it has %2 of %3, in %4.</source>
        <translation>在 rank %1 上它有 %3中的 %2 个，在 %4。</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>step %1</translation>
    </message>
    <message>
        <source>steps %1 to %2</source>
        <translation>step %1 至 %2</translation>
    </message>
    <message>
        <source>%1 has different ranks.</source>
        <translation>%1 涉及的 rank 不同。</translation>
    </message>
    <message>
        <source>%1 have different ranks.</source>
        <translation>%1 涉及的 rank 不同。</translation>
    </message>
    <message>
        <source>The global batch is smaller than a step</source>
        <translation>全局 batch 小于一个 step</translation>
    </message>
    <message>
        <source>%1 is %2, and a micro batch has %3: %4.</source>
        <translation>%1 为 %2，而一个 micro batch 有 %3：%4。</translation>
    </message>
    <message>
        <source>%1 is %2, and one micro batch for each of %3 takes %4: %5.</source>
        <translation>%1 为 %2，而 %3各取一个 micro batch 需要 %4：%5。</translation>
    </message>
    <message>
        <source>The sampler rounds the global batch down to whole micro batches for every rank, which leaves none here.</source>
        <translation>采样器把全局 batch 向下取整为每个 rank 的整数个 micro batch，此处为零个。</translation>
    </message>
    <message>
        <source>%1 has a different reason.</source>
        <translation>%1 的原因不同。</translation>
    </message>
    <message>
        <source>%1 have a different reason.</source>
        <translation>%1 的原因不同。</translation>
    </message>
    <message>
        <source>1 of %1 is short</source>
        <translation>%1中有 1 个不满</translation>
    </message>
    <message>
        <source>%1 of %2 are short</source>
        <translation>%2中有 %1 个不满</translation>
    </message>
    <message>
        <source>1 of %1 has fewer than %2: that of rank %3 in step %4 has %5.</source>
        <translation>%1中有 1 个少于 %2：rank %3 在 step %4 的 batch 只有 %5 个。</translation>
    </message>
    <message>
        <source>%1 of %2 have fewer than %3, and not only at the end: that of rank %4 in step %5 has %6.</source>
        <translation>%2中有 %1 个少于 %3，且不只在末尾：rank %4 在 step %5 的 batch 只有 %6 个。</translation>
    </message>
    <message>
        <source>Each worker makes batches of what it reads itself, and its last one may be short. %1</source>
        <translation>每个 worker 用自己读取的样本组成 batch，其最后一个可能不满。%1</translation>
    </message>
    <message>
        <source>%1 have the same batches, in the order of the dataset except for what the sampler adds.</source>
        <translation>%1 的 batch 相同，除采样器添加的样本外按数据集的顺序。</translation>
    </message>
    <message>
        <source>A known defect of the framework&apos;s shuffle hands samples out again.</source>
        <translation>框架打乱功能的一个已知缺陷会把样本再次分发出去。</translation>
    </message>
    <message>
        <source>The last batches are dropped</source>
        <translation>最后的 batch 被丢弃</translation>
    </message>
    <message>
        <source>The sampler makes the batches, and with drop_last it leaves out the last ones.</source>
        <translation>batch 由采样器组成；drop_last 开启时，它舍去最后的 batch。</translation>
    </message>
    <message>
        <source>The order of the samples does not depend on them, and the loader&apos;s generator fixes the seeds of the workers. What the process itself draws, such as weights and dropout, cannot be reproduced.</source>
        <translation>样本顺序与其无关，加载器的生成器固定了 worker 的种子。进程自身抽取的内容（如权重和 dropout）无法复现。</translation>
    </message>
    <message>
        <source>%1 of %2 drop a short batch of their own</source>
        <translation>%2中的 %1 个各自丢弃自己不足的 batch</translation>
    </message>
    <message>
        <source>Each of the %1 workers drops its own short batch</source>
        <translation>%1 个 worker 各自丢弃自己不足的 batch</translation>
    </message>
    <message>
        <source>Each of the %1 workers of each rank drops its own short batch</source>
        <translation>每个 rank 的 %1 个 worker 各自丢弃自己不足的 batch</translation>
    </message>
    <message>
        <source> A batch sampler over the whole rank would drop %1.</source>
        <translation>对整个 rank 使用 batch 采样器时会丢弃 %1 个。</translation>
    </message>
    <message>
        <source> A batch sampler over each whole rank would drop %1 in all.</source>
        <translation>对每个 rank 整体使用 batch 采样器时总共会丢弃 %1 个。</translation>
    </message>
    <message>
        <source>Each worker makes its own batches, so loader.drop_last acts in each worker: it discards a last batch that is not full.</source>
        <translation>loader.drop_last 在每个 worker 中起作用，因为每个 worker 自己切分 batch：worker 的最后一个 batch 不满时就被丢弃。</translation>
    </message>
    <message>
        <source>len(loader) says %1, but the rank has %2</source>
        <translation>len(loader) 给出 %1，而该 rank 有%2</translation>
    </message>
    <message>
        <source>len(loader) says %1, but each rank has %2</source>
        <translation>len(loader) 给出 %1，而每个 rank 有%2</translation>
    </message>
    <message>
        <source>len(loader) says %1, but rank %2 has %3</source>
        <translation>len(loader) 给出 %1，而 rank %2 有%3</translation>
    </message>
    <message>
        <source>The %1 workers cut batches of their own: %2.</source>
        <translation>%1 个 worker 各自切分 batch：%2。</translation>
    </message>
    <message>
        <source>The %1 workers of each rank cut batches of their own: %2 a rank.</source>
        <translation>每个 rank 的 %1 个 worker 各自切分 batch：每个 rank %2。</translation>
    </message>
    <message>
        <source>The %1 workers of rank %2 cut batches of their own: %3.</source>
        <translation>rank %2 的 %1 个 worker 各自切分 batch：%3。</translation>
    </message>
    <message>
        <source>If len(dataset) is %1, len(loader) divides it by batch_size and says %2. %3</source>
        <translation>如果 len(dataset) 为 %1，len(loader) 会将其除以 batch_size，得出 %2。%3</translation>
    </message>
    <message>
        <source>len() of a loader over an iterable dataset ignores the workers. A progress bar or a learning-rate schedule that takes it for the number of steps counts wrong.</source>
        <translation>可迭代数据集的加载器的 len() 不考虑 worker。把它当作 step 数的东西（如进度条或学习率计划）会数错。</translation>
    </message>
    <message>
        <source>%1 x %2 = %3</source>
        <translation>%1 x %2 = %3</translation>
    </message>
    <message>
        <source>%1 to %2 each, together %3</source>
        <translation>各有 %1 到 %2，共 %3</translation>
    </message>
    <message>
        <source>%1 counts in each worker</source>
        <translation>%1 在每个 worker 中计数</translation>
    </message>
    <message>
        <source>%1 is %2, and each of the %3 workers counts to it by itself: %4.</source>
        <translation>%1 为 %2，%3 个 worker 各自数到该数：%4。</translation>
    </message>
    <message>
        <source>%1 is %2, and each of the %3 workers of a rank counts to it by itself: %4 a rank.</source>
        <translation>%1 为 %2，一个 rank 的 %3 个 worker 各自数到该数：每个 rank %4。</translation>
    </message>
    <message>
        <source>The samples of each batch are not known</source>
        <translation>不知道每个 batch 有哪些样本</translation>
    </message>
    <message>
        <source>These counts are the same in every order. Nothing is said about what depends on the order: which sample comes when, and whether epochs or ranks have equal batches.</source>
        <translation>这里统计的内容在任何顺序下都相同。取决于顺序的内容不作说明：哪个样本何时出现，以及各 epoch 或各 rank 的 batch 是否相同。</translation>
    </message>
    <message>
        <source>These counts are the same in every order. Nothing is said about what depends on the order: which samples a rank reads, how often, and what it shares with other ranks.</source>
        <translation>这里统计的内容在任何顺序下都相同。取决于顺序的内容不作说明：一个 rank 读取哪些样本、读取几次，以及与其他 rank 共享什么。</translation>
    </message>
    <message>
        <source>Each worker has its own copy of the dataset, and the count is in the copy. with_epoch of the loader (webdataset.WebLoader) counts the batches of the rank instead.</source>
        <translation>每个 worker 有自己的数据集副本，计数在副本中。加载器（webdataset.WebLoader）的 with_epoch 则按 rank 的 batch 计数。</translation>
    </message>
    <message>
        <source>Ranks divide by different numbers</source>
        <translation>各 rank 按不同的数划分</translation>
    </message>
    <message>
        <source>The sampler divides by %1 to %2, depending on the node: %3.</source>
        <translation>采样器按 %1 到 %2 划分，因节点而异：%3。</translation>
    </message>
    <message>
        <source>Slices of different lengths overlap and leave samples out. Give every rank the world size.</source>
        <translation>长度不同的切片会重叠，也会漏掉样本。请让每个 rank 都使用 world size。</translation>
    </message>
    <message>
        <source>another number on each node</source>
        <translation>每个节点上不同的数</translation>
    </message>
    <message>
        <source>Ranks of different nodes draw the same random numbers</source>
        <translation>不同节点的 rank 抽到相同的随机数</translation>
    </message>
    <message>
        <source>%1 was not handed out</source>
        <translation>%1 个没有被分发</translation>
    </message>
    <message>
        <source>%1 were not handed out</source>
        <translation>%1 个没有被分发</translation>
    </message>
    <message>
        <source>Every epoch follows the order of the dataset</source>
        <translation>每个 epoch 都按数据集的顺序</translation>
    </message>
    <message>
        <source>That many must repeat for %1 to read equally many items: a sampler that pads does the same.</source>
        <translation>要让%1读取同样多的项，就需要这么多重复：会填充的采样器也是如此。</translation>
    </message>
    <message>
        <source>Random augmentation and noise are then equal across ranks: less variety in every global batch. DDP does not need equal seeds for equal weights: it sends rank 0&apos;s weights to all ranks.</source>
        <translation>各 rank 的随机增强和噪声因此相同：每个全局 batch 的多样性降低。使用 DDP 时，权重不需要相同的种子：它会把 rank 0 的权重发给所有 rank。</translation>
    </message>
    <message>
        <source>The order of the samples may depend on them. What the process itself draws, such as weights and dropout, cannot be reproduced.</source>
        <translation>样本顺序可能依赖它们。进程自身抽取的内容（如权重和 dropout）无法复现。</translation>
    </message>
    <message>
        <source>Epochs %1 and %2</source>
        <translation>epoch %1 和 %2</translation>
    </message>
    <message>
        <source>Epochs %1 to %2</source>
        <translation>epoch %1 至 %2</translation>
    </message>
    <message>
        <source>%1 from epoch %2 on</source>
        <translation>自 epoch %2 起的 %1 个</translation>
    </message>
    <message>
        <source>Seed %1 in epoch %2 has the order of seed %3 in epoch %4, and so on.</source>
        <translation>种子 %1 在 epoch %2 的顺序与种子 %3 在 epoch %4 的相同，以此类推。</translation>
    </message>
    <message>
        <source>The script never seeds torch&apos;s global generator</source>
        <translation>脚本从不设置 torch 全局随机数生成器的种子</translation>
    </message>
    <message>
        <source>Its process draws different random numbers from it in each run.</source>
        <translation>其进程在每次运行中从中抽到不同的随机数。</translation>
    </message>
    <message>
        <source>Each of its %1 draws its own random numbers from it, which differ in each run.</source>
        <translation>其 %1 各自从中抽取随机数，且每次运行都不同。</translation>
    </message>
    <message>
        <source>The order of the samples does not depend on them. Everything else that is drawn from it, such as augmentation and dropout, cannot be reproduced.</source>
        <translation>样本顺序不依赖它们。从中抽取的其他随机内容（如数据增强和 dropout）无法复现。</translation>
    </message>
    <message>
        <source>In epoch %1, 1 of %2 has the same stream as another one.</source>
        <translation>在 epoch %1，%2 中有 1 个与另一个使用同一随机流。</translation>
    </message>
    <message>
        <source>In epoch %1, %2 of %3 have the same stream as another one.</source>
        <translation>在 epoch %1，%3 中有 %2 个与另一个使用同一随机流。</translation>
    </message>
    <message>
        <source>Rank 1 in epoch %1 has the seed of rank 0 in epoch %2, and so on: there are only %3 for %4 pairs of rank and epoch.</source>
        <translation>rank 1 在 epoch %1 的种子与 rank 0 在 epoch %2 的相同，以此类推：%4 个 rank 与 epoch 的组合只有 %3。</translation>
    </message>
    <message>
        <source>No seed is used twice in epoch %1</source>
        <translation>epoch %1 中没有种子被使用两次</translation>
    </message>
    <message>
        <source>%1 and %2, all with different seeds in epoch %3.</source>
        <translation>%1 和 %2，在 epoch %3 的种子互不相同。</translation>
    </message>
    <message>
        <source>%1, all with different seeds in epoch %2.</source>
        <translation>%1，在 epoch %2 的种子互不相同。</translation>
    </message>
    <message>
        <source>. Any collective in step %1 waits forever, or meets one of another step.</source>
        <translation>。step %1 中的任何集合通信都会永远等待（死锁），或与另一个 step 的通信配对。</translation>
    </message>
    <message>
        <source> The order of the samples does not depend on these seeds.</source>
        <translation>样本的顺序不取决于这些种子。</translation>
    </message>
    <message>
        <source>%1 %2 to %3 %4.</source>
        <translation>%1 %2 至 %3，%4。</translation>
    </message>
    <message>
        <source>%1 equal numbers of batches, %2 to %3, %4.</source>
        <translation>%1相等数量的 batch，%2 至 %3 个，%4。</translation>
    </message>
    <message>
        <source>batch_size is per rank: a batch has no samples of other ranks.</source>
        <translation>batch_size 是每个 rank 的：一个 batch 中没有其他 rank 的样本。</translation>
    </message>
    <message>
        <source>Counted sample by sample over all ranks. Samples that ranks of one copy of the model read together count once.</source>
        <translation>在所有 rank 上逐个样本统计；同一份模型的 rank 所读的相同内容只计一次。</translation>
    </message>
    <message>
        <source>No two data-parallel ranks share a sample, padding aside</source>
        <translation>除填充外，任意两个数据并行 rank 都没有共享样本</translation>
    </message>
    <message>
        <source>No two data-parallel ranks share a sample</source>
        <translation>任意两个数据并行 rank 都没有共享样本</translation>
    </message>
    <message>
        <source>Counted sample by sample: %1 data-parallel ranks %2. The %3 ranks of each read the same batches.</source>
        <translation>逐个样本统计：%1 个数据并行 rank，%2。每个数据并行 rank 的 %3 个 rank 读取相同的 batch。</translation>
    </message>
    <message>
        <source>Every data-parallel rank adds samples of its own to the global batch.</source>
        <translation>每个数据并行 rank 都为全局 batch 贡献自己的样本。</translation>
    </message>
    <message>
        <source>Ranks of one copy of the model read different samples</source>
        <translation>同一份模型的 rank 读取了不同的样本</translation>
    </message>
    <message>
        <source>Ranks %1 and %2 divide one copy of the model (%3) and must read the same samples: in epoch %4, step %5, they do not. This happens in %6 of %7.</source>
        <translation>rank %1 和 %2 共同承担一份模型（%3），必须读取相同的样本：在 epoch %4 的 step %5，它们并不相同。%7中有 %6 份如此。</translation>
    </message>
    <message>
        <source>1 copy</source>
        <translation>1 份模型</translation>
    </message>
    <message>
        <source>%1 copies</source>
        <translation>%1 份模型</translation>
    </message>
    <message>
        <source>They compute parts of one result. That result then mixes different samples, and no error is raised.</source>
        <translation>它们各自计算同一结果的一部分，该结果因此混合了不同的样本，而且不会报错。</translation>
    </message>
    <message>
        <source>Ranks of one copy of the model draw different random numbers</source>
        <translation>同一份模型的 rank 抽到不同的随机数</translation>
    </message>
    <message>
        <source>Ranks %1 and %2 seed torch with %3 and %4.</source>
        <translation>rank %1 和 %2 分别用 %3 和 %4 设置 torch 的种子。</translation>
    </message>
    <message>
        <source>Random augmentation of a sample then differs between ranks that must compute on the same input.</source>
        <translation>这样，必须在相同输入上计算的 rank 之间，样本的随机增强会不同。</translation>
    </message>
    <message>
        <source>at the start</source>
        <translation>在开始处</translation>
    </message>
    <message>
        <source>at the start of epoch %1</source>
        <translation>在 epoch %1 开始处</translation>
    </message>
    <message>
        <source>in epoch %1, step %2</source>
        <translation>在 epoch %1 的 step %2</translation>
    </message>
    <message>
        <source>at the end of epoch %1</source>
        <translation>在 epoch %1 结束处</translation>
    </message>
    <message>
        <source>at the end</source>
        <translation>在结束处</translation>
    </message>
    <message>
        <source>%1 in the world group</source>
        <translation>全局组中的 %1</translation>
    </message>
    <message>
        <source>%1 in their %2 groups</source>
        <translation>各自 %2 组中的 %1</translation>
    </message>
    <message>
        <source>%1 in their groups</source>
        <translation>各自组中的 %1</translation>
    </message>
    <message>
        <source>%1 in the %2 group %3</source>
        <translation>%2 组 %3 中的 %1</translation>
    </message>
    <message>
        <source>%1 in group %2</source>
        <translation>组 %2 中的 %1</translation>
    </message>
    <message>
        <source>%1 of %2 bytes</source>
        <translation>%1（%2 字节）</translation>
    </message>
    <message>
        <source>%1 to rank %2</source>
        <translation>发往 rank %2 的 %1</translation>
    </message>
    <message>
        <source>%1 from rank %2</source>
        <translation>来自 rank %2 的 %1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 %2 (%3)</source>
        <translation>%1（%2，%3）</translation>
    </message>
    <message>
        <source> %1 never comes: it has finished.</source>
        <translation>%1 永远不会来：它已结束。</translation>
    </message>
    <message>
        <source> %1 never come: they have finished.</source>
        <translation>%1 永远不会来：它们已结束。</translation>
    </message>
    <message>
        <source> %1 does not come: it waits in %2.</source>
        <translation>%1 没有来：它停在 %2。</translation>
    </message>
    <message>
        <source> %1 do not come: they wait in %2.</source>
        <translation>%1 没有来：它们停在 %2。</translation>
    </message>
    <message>
        <source> The others do not come, either.</source>
        <translation>其余的也没有来。</translation>
    </message>
    <message>
        <source> Whether every rank finishes where no broadcast keeps it is not known: the schedule is too long.</source>
        <translation>如果 broadcast 不让任何 rank 等待，各 rank 是否都能结束尚不可知：schedule 太长。</translation>
    </message>
    <message>
        <source> %1 may get further: MPI does not say whether a broadcast keeps its source, or a rank that has its data, until the others have called it.</source>
        <translation>%1 可能还会继续执行：MPI 没有规定 broadcast 的源 rank 或已收到数据的 rank 是否一直等到其他 rank 都调用它。</translation>
    </message>
    <message>
        <source>A rank calls collectives of its own groups, and sends to other ranks of those groups. Let only ranks that have a partner do it.</source>
        <translation>rank 只调用自己所在组的集合通信，并只与组内其他 rank 收发。请只让有对方可通信的 rank 执行。</translation>
    </message>
    <message>
        <source>Give the send and its recv the same size.</source>
        <translation>请让 send 与对应的 recv 大小相同。</translation>
    </message>
    <message>
        <source>Each send needs a recv on the other rank, and each recv a send.</source>
        <translation>每个 send 都需要另一个 rank 上的 recv，每个 recv 也都需要 send。</translation>
    </message>
    <message>
        <source>A recv waits until its send begins. Let the other rank send before it waits for something else.</source>
        <translation>recv 一直等到对应的 send 开始。请让另一个 rank 先发送，再等待别的操作。</translation>
    </message>
    <message>
        <source>A send is assumed to wait until its recv of the same size begins; a buffer may let a small message through. Let one of the ranks receive first.</source>
        <translation>此处假定 send 一直等到大小相同的 recv 开始；有缓冲区时小消息可能通过。请让其中一个 rank 先接收。</translation>
    </message>
    <message>
        <source>The ranks of a group must call the same collectives, in the same order and with the same size.</source>
        <translation>一个组的 rank 必须以相同的顺序和大小调用相同的集合通信。</translation>
    </message>
    <message>
        <source>A broadcast is certain to complete only when every rank of its group has called it.</source>
        <translation>只有组内每个 rank 都调用后，broadcast 才确定会结束。</translation>
    </message>
    <message>
        <source>A collective completes when every rank of its group has called it.</source>
        <translation>组内每个 rank 都调用后，集合通信才结束。</translation>
    </message>
    <message>
        <source> Either all of them must call it, or none.</source>
        <translation>要么每个 rank 都调用，要么都不调用。</translation>
    </message>
    <message>
        <source> Let the others call it before they wait for something else, or let no rank call it.</source>
        <translation>请让其他 rank 在等待别的操作之前先调用它，或者让所有 rank 都不调用。</translation>
    </message>
    <message>
        <source>%1 calls %2: a rank cannot exchange messages with itself.</source>
        <translation>%1 调用%2：rank 不能与自己通信。</translation>
    </message>
    <message>
        <source>%1 calls %2, across the border of the group.</source>
        <translation>%1 调用%2，越过了组的边界。</translation>
    </message>
    <message>
        <source>%1 waits in %2.</source>
        <translation>%1 停在 %2。</translation>
    </message>
    <message>
        <source>%1 wait in %2.</source>
        <translation>%1 停在 %2。</translation>
    </message>
    <message>
        <source> The others wait in the same call at other places.</source>
        <translation>其余的停在别处的同一个调用。</translation>
    </message>
    <message>
        <source> %1 waits in %2.</source>
        <translation>%1 停在 %2。</translation>
    </message>
    <message>
        <source> %1 wait in %2.</source>
        <translation>%1 停在 %2。</translation>
    </message>
    <message>
        <source>The calls of the ranks do not match %1</source>
        <translation>各 rank %1的调用不匹配</translation>
    </message>
    <message>
        <source>The schedule hangs</source>
        <translation>计划死锁</translation>
    </message>
    <message>
        <source>The schedule may hang %1</source>
        <translation>计划%1可能死锁</translation>
    </message>
    <message>
        <source>The schedule hangs %1</source>
        <translation>计划%1死锁</translation>
    </message>
    <message>
        <source>Whether the schedule hangs is not known</source>
        <translation>schedule 是否会死锁尚不可知</translation>
    </message>
    <message>
        <source>A schedule hangs where a rank waits for a call that another rank never makes. To find that out, every operation has to be followed.</source>
        <translation>某个 rank 等待的调用若其他 rank 从不执行，schedule 就会死锁。要判断这一点，必须逐一跟踪每个操作。</translation>
    </message>
    <message>
        <source>Without dropout or other randomness, equal batches give equal gradients: wasted work.</source>
        <translation>若没有 dropout 等随机性，相同的 batch 产生相同的梯度：浪费计算。</translation>
    </message>
    <message>
        <source>Every step has a batch on every rank.</source>
        <translation>每个 step 在每个 rank 上都有 batch。</translation>
    </message>
    <message>
        <source>A loop that steps only at full steps adds their gradients to the next epoch, or throws them away where zero_grad() comes first. Accelerate&apos;s accumulate() and Lightning&apos;s Trainer by default take a smaller step at the end of the epoch.</source>
        <translation>只在凑满时才走一步的循环会把它们的梯度加到下一个 epoch，若先调用了 zero_grad() 则会丢掉。Accelerate 的 accumulate() 和 Lightning 的 Trainer 默认在 epoch 末尾走较小的一步。</translation>
    </message>
    <message>
        <source>An epoch has too few batches for one optimizer step</source>
        <translation>一个 epoch 的批数不足一个优化器 step</translation>
    </message>
    <message>
        <source>Each rank has %1, and an optimizer step takes %2.</source>
        <translation>每个 rank 有 %1，而一个优化器 step需要 %2 个。</translation>
    </message>
    <message>
        <source>The epoch ends inside an optimizer step</source>
        <translation>epoch 在一个优化器 step中间结束</translation>
    </message>
    <message>
        <source>Each rank has %1: %2 of %3, and %4 left over.</source>
        <translation>每个 rank 有 %1：%2（每个 step %3 个批），剩余 %4。</translation>
    </message>
    <message>
        <source>The last optimizer step of an epoch is smaller</source>
        <translation>一个 epoch 的最后一个优化器 step 较小</translation>
    </message>
    <message>
        <source>Each rank has %1, and an optimizer step takes %2; the last one takes %3.</source>
        <translation>每个 rank 有 %1，一个优化器 step 需要 %2 个；最后一个只有 %3 个。</translation>
    </message>
    <message>
        <source>Accelerate&apos;s accumulate() and Lightning&apos;s Trainer by default step at the end of an epoch.</source>
        <translation>Accelerate 的 accumulate() 和 Lightning 的 Trainer 默认在 epoch 末尾走一步。</translation>
    </message>
    <message>
        <source>a binomial tree would take %1, the ring %2.</source>
        <translation>二项树需要 %1，环形需要 %2 轮。</translation>
    </message>
    <message>
        <source>a binomial tree would take %1, the ring %2; the two ranks that exchange most exchange %3 in the tree, %4 in the ring, both ways together.</source>
        <translation>二项树需要 %1，环形需要 %2 轮；交换数据最多的两个 rank 之间，双向合计在二项树中为 %3，在环形中为 %4 字节。</translation>
    </message>
    <message>
        <source>torch keeps whole numbers in an integer tensor, where `tensor /= n` raises: a quotient is a float, and does not fit into it. Write `tensor = tensor / n`, where n is the number of ranks of the group, or give floats: 1.0.</source>
        <translation>torch 用整数张量保存整数，对它执行 `tensor /= n` 会报错：商是浮点数，放不进整数张量。请改写为 `tensor = tensor / n`，其中 n 是组内的 rank 数，或给出浮点数：1.0。</translation>
    </message>
    <message>
        <source> If ranks with equal batches divide one copy of the model by tensor, pipeline or context parallelism, equal batches are right: say so in world.groups.</source>
        <translation>如果 batch 相同的 rank 是以张量、流水线或上下文并行共同划分同一份模型，那么 batch 相同是正确的：请在 world.groups 中写明。</translation>
    </message>
    <message>
        <source> %1 answers with another size: %2.</source>
        <translation>%1以另一种大小应答：%2。</translation>
    </message>
    <message>
        <source> %1 calls it otherwise: %2.</source>
        <translation>%1以不同的方式调用它：%2。</translation>
    </message>
    <message>
        <source> %1 call it otherwise: %2.</source>
        <translation>%1以不同的方式调用它：%2。</translation>
    </message>
    <message>
        <source>No rank of its groups meets the condition of %1 in %2: %3.</source>
        <translation>%2 中的 %1 要求 %3，而其组内没有任何 rank 满足该条件。</translation>
    </message>
    <message>
        <source>A call of the schedule is made by no rank</source>
        <translation>没有 rank 执行 schedule 中的某个调用</translation>
    </message>
    <message>
        <source>Such a line does nothing: the ranks were followed without that call.</source>
        <translation>这样的一行不起作用：跟踪各 rank 时没有该调用。</translation>
    </message>
    <message>
        <source>In %1, each rank that calls %2 is alone in its %3 group.</source>
        <translation>在 %1 中，每个调用 %2 的 rank 在其 %3 组中都只有自己。</translation>
    </message>
    <message>
        <source>In %1, each rank that calls %2 is alone in its group.</source>
        <translation>在 %1 中，每个调用 %2 的 rank 在其组中都只有自己。</translation>
    </message>
    <message>
        <source>A rank calls a collective alone</source>
        <translation>有 rank 单独调用集合通信</translation>
    </message>
    <message>
        <source>Such a call exchanges nothing and waits for nobody. With larger groups, it may wait for ranks that do not call it.</source>
        <translation>这样的调用不交换任何数据，也不等待任何 rank。若组更大，它可能会等待不执行该调用的 rank。</translation>
    </message>
    <message>
        <source>. With the schedule as given, every rank still gets to its end.</source>
        <translation>。按给定的 schedule，每个 rank 仍会执行到底。</translation>
    </message>
</context>
<context>
    <name>fixes</name>
    <message>
        <source>Pass rank and world_size to the sampler</source>
        <translation>向采样器传入 rank 和 world_size</translation>
    </message>
    <message>
        <source>Divide what it draws: DistributedSamplerWrapper</source>
        <translation>切分它抽取的内容：DistributedSamplerWrapper</translation>
    </message>
    <message>
        <source>Divide what it draws: DistributedSamplerWrapper, with one generator for all ranks</source>
        <translation>切分它抽取的内容：DistributedSamplerWrapper，且所有 rank 使用同一个生成器</translation>
    </message>
    <message>
        <source>Let the sampler pad: turn sampler.drop_last off</source>
        <translation>让采样器填充：关闭 sampler.drop_last</translation>
    </message>
    <message>
        <source>Call set_epoch(epoch) in every epoch</source>
        <translation>在每个 epoch 调用 set_epoch(epoch)</translation>
    </message>
    <message>
        <source>Keep the workers: loader.persistent_workers</source>
        <translation>保留 worker：loader.persistent_workers</translation>
    </message>
    <message>
        <source>Give each rank its own seed: base+rank</source>
        <translation>为每个 rank 设置自己的种子：base+rank</translation>
    </message>
    <message>
        <source>Seed with 0 + rank</source>
        <translation>用 0 + rank 设置种子</translation>
    </message>
    <message>
        <source>Seed with 0</source>
        <translation>用 0 设置种子</translation>
    </message>
    <message>
        <source>Give all ranks the same seed</source>
        <translation>为所有 rank 设置相同的种子</translation>
    </message>
    <message>
        <source>Pass no generator to the loader</source>
        <translation>不向加载器传入生成器</translation>
    </message>
    <message>
        <source>Give the generator only to the sampler</source>
        <translation>只把生成器交给采样器</translation>
    </message>
    <message>
        <source>Keep the short last batch: loader.drop_last off</source>
        <translation>保留不满的最后一个 batch：关闭 loader.drop_last</translation>
    </message>
    <message>
        <source>Drop short last batches: loader.drop_last</source>
        <translation>丢弃不满的最后一个 batch：loader.drop_last</translation>
    </message>
    <message>
        <source>Cut every rank to whole batches: sampler and loader drop_last</source>
        <translation>把每个 rank 截到完整的 batch：采样器和加载器的 drop_last</translation>
    </message>
    <message>
        <source>Divide the stream among the ranks: %1</source>
        <translation>在各 rank 之间切分数据流：%1</translation>
    </message>
    <message>
        <source>Divide each rank&apos;s part among its workers: %1</source>
        <translation>在 worker 之间切分每个 rank 的部分：%1</translation>
    </message>
    <message>
        <source>Divide the stream among ranks and workers: %1, %2</source>
        <translation>在 rank 和 worker 之间切分数据流：%1，%2</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>Remove %1: accelerator.prepare() divides already</source>
        <translation>移除 %1：accelerator.prepare() 已经切分</translation>
    </message>
    <message>
        <source>%1, keep short batches</source>
        <translation>%1，保留不满的 batch</translation>
    </message>
    <message>
        <source>Shuffle by seed + epoch: %1</source>
        <translation>按 seed + epoch 打乱：%1</translation>
    </message>
    <message>
        <source>%1, and keep the workers</source>
        <translation>%1，并保留 worker</translation>
    </message>
    <message>
        <source>Shuffle in every epoch: use %1</source>
        <translation>在每个 epoch 打乱：使用 %1</translation>
    </message>
    <message>
        <source>%1; keep the order by %2</source>
        <translation>%1；用 %2 保持顺序</translation>
    </message>
    <message>
        <source>Draw one order for all ranks: %1</source>
        <translation>为所有 rank 抽取同一个顺序：%1</translation>
    </message>
    <message>
        <source>Set %1 to %2</source>
        <translation>将 %1 设为 %2</translation>
    </message>
    <message>
        <source>Keep the uneven tail: %1 off</source>
        <translation>保留不能整除的尾部：关闭 %1</translation>
    </message>
    <message>
        <source>Cut the uneven tail: %1</source>
        <translation>截掉不能整除的尾部：%1</translation>
    </message>
    <message>
        <source>Round up, so that all ranks get the same number: %1</source>
        <translation>向上取整，使所有 rank 数量相同：%1</translation>
    </message>
    <message>
        <source>Cut every rank to the shortest: %1</source>
        <translation>把每个 rank 截到最短：%1</translation>
    </message>
    <message>
        <source>Let every process read the whole stream and keep its part of each global batch: %1</source>
        <translation>让每个进程读取整个流，只保留每个全局 batch 中属于自己的部分：%1</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>in each of %1 of %2</source>
        <translation>（%1 中的每一个，共 %2 个 epoch）</translation>
    </message>
    <message>
        <source>Rewrite the dataset in %1 even shards</source>
        <translation>把数据集重写为 %1 个均匀的 shard</translation>
    </message>
    <message>
        <source>%1; drop short last batches</source>
        <translation>%1；丢弃不满的最后一个 batch</translation>
    </message>
    <message>
        <source>Draw shards instead of dividing them: %1</source>
        <translation>抽取 shard 而不是切分：%1</translation>
    </message>
    <message>
        <source>%1 missing</source>
        <translation>多缺失 %1</translation>
    </message>
    <message>
        <source>%1 repeated</source>
        <translation>多重复 %1</translation>
    </message>
    <message>
        <source>new finding: %1</source>
        <translation>新问题：%1</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>多 %1</translation>
    </message>
    <message>
        <source>%1 fewer</source>
        <translation>少 %1</translation>
    </message>
    <message>
        <source>%1; rewrite the dataset in %2 even shards</source>
        <translation>%1；把数据集重写为 %2 个均匀的 shard</translation>
    </message>
    <message>
        <source>per epoch</source>
        <translation>（每个 epoch）</translation>
    </message>
    <message>
        <source>in epoch %1</source>
        <translation>（在 epoch %1）</translation>
    </message>
    <message>
        <source>ranks up to %1 apart %2</source>
        <translation>%2，各 rank 最多相差 %1</translation>
    </message>
    <message>
        <source>Keep the last batches: loader.drop_last off</source>
        <translation>保留最后的 batch：关闭 loader.drop_last</translation>
    </message>
    <message>
        <source>Pass the data-parallel rank and size to the sampler</source>
        <translation>向采样器传入数据并行的 rank 和大小</translation>
    </message>
    <message>
        <source>Give each data-parallel rank its own seed: base+data_parallel_rank</source>
        <translation>为每个数据并行 rank 设置自己的种子：base+data_parallel_rank</translation>
    </message>
    <message>
        <source>Seed with 0 + data_parallel_rank</source>
        <translation>用 0 + data_parallel_rank 设置种子</translation>
    </message>
    <message>
        <source>Let the other ranks call %1, too: %2</source>
        <translation>让其余 rank 也调用 %1：%2</translation>
    </message>
    <message>
        <source>Let every rank call %1 in %2</source>
        <translation>让每个 rank 都在 %2 中调用 %1</translation>
    </message>
</context>
<context>
    <name>import</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%2 says %1, which has no meaning here.</source>
        <translation>%2 为 %1，在这里没有意义。</translation>
    </message>
    <message>
        <source>%2: %1, divided by %3</source>
        <translation>%2：%1，除以 %3</translation>
    </message>
    <message>
        <source>%2 says %1, which %3 does not divide.</source>
        <translation>%2 为 %1，不能被 %3 整除。</translation>
    </message>
    <message>
        <source>no file says on how many nodes the ranks are</source>
        <translation>没有文件说明各 rank 分布在几个节点上</translation>
    </message>
    <message>
        <source>no file says how the data is divided among the ranks</source>
        <translation>没有文件说明数据如何在各 rank 之间划分</translation>
    </message>
    <message>
        <source>as given</source>
        <translation>按所给的值</translation>
    </message>
    <message>
        <source>No file says how many samples there are; %1 is a placeholder.</source>
        <translation>没有文件说明有多少样本；%1 是占位值。</translation>
    </message>
    <message>
        <source>No key or option that is read says it, and a script may accumulate by itself; %1 is the default of a spec.</source>
        <translation>所读取的键和选项都没有说明，而脚本可能自行累积；%1 是配置的默认值。</translation>
    </message>
    <message>
        <source>No file says it; %1 is the default of a spec.</source>
        <translation>没有文件说明；%1 是配置的默认值。</translation>
    </message>
    <message>
        <source>the default of %1</source>
        <translation>%1 的默认值</translation>
    </message>
    <message>
        <source>a loader for training usually shuffles</source>
        <translation>用于训练的加载器通常会打乱顺序</translation>
    </message>
    <message>
        <source>%1, taken as the batch of each rank</source>
        <translation>%1，视为每个 rank 的 batch</translation>
    </message>
    <message>
        <source>%1, an argument of the script, whose meaning is guessed from its name</source>
        <translation>%1，脚本的参数，含义按名称推测</translation>
    </message>
    <message>
        <source>The script makes its own sampler (%1).</source>
        <translation>脚本自己创建采样器（%1）。</translation>
    </message>
    <message>
        <source>%1 groups samples by length, in an order that depends on random draws before training; the spec has the Trainer&apos;s usual order instead.</source>
        <translation>%1 按长度对样本分组，其顺序取决于训练前的随机抽取；配置中改用 Trainer 的通常顺序。</translation>
    </message>
    <message>
        <source>%2 says %1: the number depends on the machine.</source>
        <translation>%2 为 %1：数量取决于机器。</translation>
    </message>
    <message>
        <source>%2 says %1; the spec has whole epochs.</source>
        <translation>%2 为 %1；配置只有完整的 epoch。</translation>
    </message>
    <message>
        <source>The job ends after a number of steps, not of epochs (%1).</source>
        <translation>作业在若干 step 后结束，而不是若干 epoch 后（%1）。</translation>
    </message>
    <message>
        <source>%1 is already a spec.</source>
        <translation>%1 已经是配置。</translation>
    </message>
    <message>
        <source>the file is longer than 4 MB.</source>
        <translation>文件超过 4 MB。</translation>
    </message>
    <message>
        <source>open it as it is</source>
        <translation>请直接打开它</translation>
    </message>
    <message>
        <source>commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>give a script or a command that starts the job, or its YAML</source>
        <translation>请给出启动作业的脚本或命令，或其 YAML</translation>
    </message>
    <message>
        <source>%2 says %1; the spec has the value from another place.</source>
        <translation>%2 为 %1；配置采用另一处的值。</translation>
    </message>
    <message>
        <source>ranks of one copy of the model must read the same samples</source>
        <translation>同一份模型的 rank 必须读取相同的样本</translation>
    </message>
    <message>
        <source>%1, all on one node</source>
        <translation>%1，全部在一个节点上</translation>
    </message>
    <message>
        <source>%2 says %1 for an optimizer step of all ranks. This value does not follow from it, because other numbers are not known.</source>
        <translation>%2 为全部 rank 的一个优化器 step 共 %1，由此得不出这一项：其他数字未知。</translation>
    </message>
    <message>
        <source>%2 says %1 for an optimizer step of all ranks, which is not a batch of %3 times an accumulation of %4 times the data-parallel size, %5.</source>
        <translation>%2 为全部 rank 的一个优化器 step 共 %1，不等于 batch %3 乘以累积 %4 再乘以数据并行大小 %5。</translation>
    </message>
    <message>
        <source>%1 sets numbers by epoch; the spec has one for all epochs.</source>
        <translation>%1 按 epoch 给出数字；配置只有一个通用的数字。</translation>
    </message>
    <message>
        <source>%2 says %1 for all ranks, and no file says how many there are.</source>
        <translation>%2 为全部 rank 共 %1，而没有文件说明有多少 rank。</translation>
    </message>
    <message>
        <source>No file says whether the script seeds; the spec says that it does not.</source>
        <translation>没有文件说明脚本是否设定种子；配置中为不设定。</translation>
    </message>
    <message>
        <source>Each rank&apos;s seed depends on its place in a group (%1).</source>
        <translation>每个 rank 的种子取决于它在组中的位置（%1）。</translation>
    </message>
    <message>
        <source>%1 starts another script, which was not read: give that script, too.</source>
        <translation>%1 启动了另一个没有读取的脚本：请一并给出。</translation>
    </message>
    <message>
        <source>No command in %1 starts the ranks.</source>
        <translation>%1 中没有启动各 rank 的命令。</translation>
    </message>
    <message>
        <source>%1 starts several programs at once.</source>
        <translation>%1 同时启动了多个程序。</translation>
    </message>
    <message>
        <source>%2 says %1: the number may change while the job runs.</source>
        <translation>%2 为 %1：数量在作业运行期间可能改变。</translation>
    </message>
    <message>
        <source>The command is inside a condition, a loop or a function.</source>
        <translation>该命令位于条件、循环或函数中。</translation>
    </message>
    <message>
        <source>With %1, a loader other than the Trainer&apos;s usual one reads the data.</source>
        <translation>使用 %1 时，读取数据的不是 Trainer 通常的加载器。</translation>
    </message>
    <message>
        <source>%1 is not read.</source>
        <translation>没有读取 %1。</translation>
    </message>
    <message>
        <source>%1 does not say that it is a StreamingDataset.</source>
        <translation>%1 没有说明它是 StreamingDataset。</translation>
    </message>
    <message>
        <source>as lightning-hydra-template divides it</source>
        <translation>按 lightning-hydra-template 的方式划分</translation>
    </message>
    <message>
        <source>the file is not UTF-8 text.</source>
        <translation>该文件不是 UTF-8 文本。</translation>
    </message>
    <message>
        <source>save it as UTF-8</source>
        <translation>请保存为 UTF-8</translation>
    </message>
    <message>
        <source>%1 commands start processes; the one with %2 was read.</source>
        <translation>有 %1 个命令启动进程；读取的是含 %2 的命令。</translation>
    </message>
    <message>
        <source>sbatch takes --wrap or a script, and both are given.</source>
        <translation>sbatch 只接受 --wrap 或脚本之一，这里两者都给出了。</translation>
    </message>
    <message>
        <source>%1 is not known as an option of sbatch.</source>
        <translation>%1 不是已知的 sbatch 选项。</translation>
    </message>
    <message>
        <source>sbatch is given no script.</source>
        <translation>没有给 sbatch 脚本。</translation>
    </message>
    <message>
        <source>give the script, or its commands as --wrap</source>
        <translation>请给出脚本，或用 --wrap 给出其命令</translation>
    </message>
    <message>
        <source>%1 has nothing that can be imported.</source>
        <translation>%1 中没有可以导入的内容。</translation>
    </message>
    <message>
        <source>Python could not read the script.</source>
        <translation>Python 无法读取这个脚本。</translation>
    </message>
    <message>
        <source>python3 must be on the PATH, and the script be UTF-8</source>
        <translation>PATH 中须有 python3，脚本须为 UTF-8</translation>
    </message>
    <message>
        <source>%1, on one path of the script</source>
        <translation>%1，在脚本的一条分支上</translation>
    </message>
    <message>
        <source>%2: the default of the argument %1</source>
        <translation>%2：参数 %1 的默认值</translation>
    </message>
    <message>
        <source>%1: its value is not known without running the script.</source>
        <translation>%1：不运行脚本便无法知道它的值。</translation>
    </message>
    <message>
        <source>the one at %1 is assumed to be the training; there are others at %2</source>
        <translation>取 %1 处的那个用于训练；另有 %2 处的</translation>
    </message>
    <message>
        <source>Python cannot read this script: %1.</source>
        <translation>Python 无法读取这个脚本：%1。</translation>
    </message>
    <message>
        <source>There is no loader and no number of ranks in %1: no call of DataLoader, TrainingArguments, Trainer or spawn gives any.</source>
        <translation>%1 中没有数据加载器，也没有 rank 数：对 DataLoader、TrainingArguments、Trainer 或 spawn 的调用都没有说明。</translation>
    </message>
    <message>
        <source>take the script that makes the loader, or what starts the job</source>
        <translation>请使用创建数据加载器的脚本，或启动作业的文件或命令</translation>
    </message>
    <message>
        <source>no file says which PyTorch the job runs</source>
        <translation>没有文件说明作业运行哪个 PyTorch</translation>
    </message>
    <message>
        <source>%1: a plain Python command is one process</source>
        <translation>%1：直接运行 Python 的命令只有一个进程</translation>
    </message>
    <message>
        <source>%1: no parser in the script explains the argument %2, which may change it.</source>
        <translation>%1：脚本中没有解析器说明参数 %2，而它可能改变这个值。</translation>
    </message>
    <message>
        <source>No file says how many samples there are: write it here.</source>
        <translation>没有文件说明有多少样本：请在此填写。</translation>
    </message>
    <message>
        <source>%1: this loop may end before the loader does; it is not known how many steps it makes.</source>
        <translation>%1：此循环可能在数据加载器读完之前结束；不知道它会走多少步。</translation>
    </message>
    <message>
        <source>The spec has the default, %1.</source>
        <translation>配置中为默认值 %1。</translation>
    </message>
    <message>
        <source>%1: each rank may have its own dataset here, but a spec has one for all ranks. An audit may be wrong about samples that ranks share or never read, and about ranks that run out early.</source>
        <translation>%1：此处各 rank 的数据集可能不同，而一份配置的所有 rank 只有一个数据集。审计中关于 rank 之间共享的样本、无人读取的样本以及提前读完的 rank 的说法，对脚本可能不成立。</translation>
    </message>
    <message>
        <source>%1: whether a rank calls this depends on its number, and not all collectives of the script can be put into a schedule. The spec has no schedule, so an audit does not see whether ranks wait forever.</source>
        <translation>%1：由哪些 rank 调用取决于 rank，而脚本中的集合操作并非都能写入 schedule。配置中没有 schedule，因此审计看不出 rank 是否会永远等待。</translation>
    </message>
    <message>
        <source>Left out, because a part of it is not valid in a spec: %2 (%1)</source>
        <translation>已略去，因为其中一部分在配置中无效：%2（%1）</translation>
    </message>
    <message>
        <source>the collectives at %1; their sizes are placeholders, and functions of other files are assumed to have none</source>
        <translation>%1 处的集合通信；其大小为占位值，并假定其他文件的函数中没有集合通信</translation>
    </message>
    <message>
        <source>the spec covers only the one at %1, but a loop with backward passes also reads others: %2</source>
        <translation>此配置只对应 %1 处的加载器，而另有带反向传播的循环读取其他加载器：%2</translation>
    </message>
    <message>
        <source>%1 is not used: %2</source>
        <translation>未使用 %1：%2</translation>
    </message>
    <message>
        <source>%1 is not used: no file says how many ranks there are.</source>
        <translation>未使用 %1：没有文件说明有多少个 rank。</translation>
    </message>
    <message>
        <source>%1: its value is not known without running the script. It decides which samples each rank reads, and an audit of this spec may be wrong about that.</source>
        <translation>%1：不运行脚本便无法知道它的值。它决定每个 rank 读取哪些样本，因此对此 spec 的审计在这方面可能有误。</translation>
    </message>
</context>
<context>
    <name>launch</name>
    <message>
        <source>This installation has no %1: the program is neither next to shardlens nor in lib/shardlens.</source>
        <translation>此安装中没有 %1：该程序既不在 shardlens 旁边，也不在 lib/shardlens 中。</translation>
    </message>
    <message>
        <source>build where CUDA and NCCL are found, or use run.program: mpi_rank</source>
        <translation>请在有 CUDA 和 NCCL 的环境中构建，或使用 run.program: mpi_rank</translation>
    </message>
    <message>
        <source>build with SHARDLENS_MPI=ON, or use run.program: socket_rank</source>
        <translation>请以 SHARDLENS_MPI=ON 构建，或使用 run.program: socket_rank</translation>
    </message>
    <message>
        <source>install it again</source>
        <translation>请重新安装</translation>
    </message>
    <message>
        <source>%1 would all be started on this host; with its %2, the limit is %3.</source>
        <translation>%1 都会在此主机上启动；它有 %2，上限为 %3。</translation>
    </message>
    <message>
        <source>run a smaller world; plan, audit and lens handle the whole one</source>
        <translation>请运行较小的 world；计划、审计和框架对照可以处理完整的 world</translation>
    </message>
    <message>
        <source>The program that supervises the job cannot be started: %1.</source>
        <translation>监管作业的程序无法启动：%1。</translation>
    </message>
    <message>
        <source>install all of ShardLens: the studio needs the program shardlens next to it</source>
        <translation>请安装完整的 ShardLens：studio 需要旁边有程序 shardlens</translation>
    </message>
    <message>
        <source>The folder of the run cannot be created: %1.</source>
        <translation>无法创建运行的文件夹：%1。</translation>
    </message>
    <message>
        <source>There is no program named %1 on this machine.</source>
        <translation>此机器上没有名为 %1 的程序。</translation>
    </message>
    <message>
        <source>check the name and PATH</source>
        <translation>请检查名称和 PATH</translation>
    </message>
    <message>
        <source>%1 cannot be started: %2.</source>
        <translation>%1 无法启动：%2。</translation>
    </message>
    <message>
        <source>check that the file is a program and that you may run it</source>
        <translation>请检查该文件是程序，并且你有权运行它</translation>
    </message>
    <message>
        <source>No free TCP port was found on this host for the ranks to meet at: %1.</source>
        <translation>各 rank 没有可供会合的 TCP 端口：在此主机上找不到空闲端口：%1。</translation>
    </message>
    <message>
        <source>check that 127.0.0.1 can be used</source>
        <translation>请检查 127.0.0.1 是否可用</translation>
    </message>
    <message>
        <source>The job&apos;s temporary folder cannot be created here: %1.</source>
        <translation>无法在此处创建作业的临时文件夹：%1。</translation>
    </message>
    <message>
        <source>free some space there</source>
        <translation>请在那里释放一些空间</translation>
    </message>
    <message>
        <source>There is no launcher named %1.</source>
        <translation>没有名为 %1 的启动器。</translation>
    </message>
    <message>
        <source>choose from: %1</source>
        <translation>请从中选择：%1</translation>
    </message>
    <message>
        <source>%1 needs MPI, which the launcher %2 does not start.</source>
        <translation>%1 需要 MPI，而启动器 %2 不会启动 MPI。</translation>
    </message>
    <message>
        <source>use mpirun, or run.program: socket_rank</source>
        <translation>请使用 mpirun，或 run.program: socket_rank</translation>
    </message>
    <message>
        <source>1 rank shares %1, so waits include CPU scheduling.</source>
        <translation>1 个 rank 共用 %1，因此等待时间包含 CPU 调度。</translation>
    </message>
    <message>
        <source>%1 share %2, so waits include CPU scheduling.</source>
        <translation>%1 共用 %2，因此等待时间包含 CPU 调度。</translation>
    </message>
    <message>
        <source>1 node is emulated on one host: node and local rank come from the spec.</source>
        <translation>在一台主机上模拟 1 个节点：节点和 local rank 来自 spec。</translation>
    </message>
    <message>
        <source>%1 are emulated on one host: node and local rank come from the spec.</source>
        <translation>在一台主机上模拟 %1：节点和 local rank 来自 spec。</translation>
    </message>
    <message>
        <source>The launcher %1 does not start MPI: %2 runs in place of %3.</source>
        <translation>启动器 %1 不会启动 MPI：用 %2 代替 %3 运行。</translation>
    </message>
    <message>
        <source>install Open MPI: apt-get install openmpi-bin</source>
        <translation>请安装 Open MPI：apt-get install openmpi-bin</translation>
    </message>
    <message>
        <source>install PyTorch: pip install torch, or apt-get install python3-torch</source>
        <translation>请安装 PyTorch：pip install torch，或 apt-get install python3-torch</translation>
    </message>
    <message>
        <source>install Slurm, or run this on a host of a Slurm cluster</source>
        <translation>请安装 Slurm，或在 Slurm 集群的主机上运行</translation>
    </message>
    <message>
        <source>There is no command.</source>
        <translation>没有命令。</translation>
    </message>
    <message>
        <source>type it as you would in a terminal: torchrun --nproc_per_node=4 train.py</source>
        <translation>像在终端中那样输入：torchrun --nproc_per_node=4 train.py</translation>
    </message>
    <message>
        <source>The command is not complete: a quote is not closed, or it ends with a backslash.</source>
        <translation>命令不完整：引号没有闭合，或以反斜杠结尾。</translation>
    </message>
    <message>
        <source>complete it</source>
        <translation>请补全</translation>
    </message>
    <message>
        <source>name another folder, for example with SHARDLENS_RUNS, or make this one writable</source>
        <translation>请改用其他文件夹（例如设置 SHARDLENS_RUNS），或使该处可以写入</translation>
    </message>
    <message>
        <source>Line %1 of the environment sets no variable: %2</source>
        <translation>环境变量的第 %1 行没有设置变量：%2</translation>
    </message>
    <message>
        <source>write NAME=value, one a line and without export, such as NCCL_DEBUG=INFO</source>
        <translation>请写成 NAME=value，每行一个，不带 export，例如 NCCL_DEBUG=INFO</translation>
    </message>
</context>
<context>
    <name>ledger</name>
    <message>
        <source>padding of the sampler</source>
        <translation>项采样器填充</translation>
    </message>
    <message>
        <source>filling of last batches</source>
        <translation>项补满最后的 batch</translation>
    </message>
    <message>
        <source>drawn with replacement</source>
        <translation>项有放回抽取</translation>
    </message>
    <message>
        <source>repeated by factors</source>
        <translation>项按因子重复</translation>
    </message>
    <message>
        <source>drawn to balance classes</source>
        <translation>项为平衡类别抽取</translation>
    </message>
    <message>
        <source>listed more than once</source>
        <translation>项列出多次</translation>
    </message>
    <message>
        <source>from a second stream</source>
        <translation>项来自第二个流</translation>
    </message>
    <message>
        <source>from another pass</source>
        <translation>项来自另一遍</translation>
    </message>
    <message>
        <source>by a defect of the shuffle</source>
        <translation>项因打乱逻辑的缺陷</translation>
    </message>
    <message>
        <source>also read by other ranks</source>
        <translation>项也被其他 rank 读取</translation>
    </message>
    <message>
        <source>read by several workers</source>
        <translation>项被多个 worker 读取</translation>
    </message>
    <message>
        <source>replicated by design</source>
        <translation>项按设计复制</translation>
    </message>
    <message>
        <source>not explained</source>
        <translation>项原因不明</translation>
    </message>
    <message>
        <source>cut by the sampler</source>
        <translation>个被采样器截掉</translation>
    </message>
    <message>
        <source>cut by the loader</source>
        <translation>个被加载器截掉</translation>
    </message>
    <message>
        <source>not among the indices</source>
        <translation>个不在索引中</translation>
    </message>
    <message>
        <source>outside the sampler&apos;s part</source>
        <translation>个在采样器的部分之外</translation>
    </message>
    <message>
        <source>with weight 0</source>
        <translation>个权重为 0</translation>
    </message>
    <message>
        <source>without a weight</source>
        <translation>个没有权重</translation>
    </message>
    <message>
        <source>not drawn</source>
        <translation>个未被抽到</translation>
    </message>
    <message>
        <source>read before the saved state</source>
        <translation>个在保存状态前已读取</translation>
    </message>
    <message>
        <source>skipped by a count carried over</source>
        <translation>个因遗留的计数被跳过</translation>
    </message>
    <message>
        <source>waiting for a later batch</source>
        <translation>个在等待之后的 batch</translation>
    </message>
    <message>
        <source>divided twice</source>
        <translation>个因切分两次</translation>
    </message>
    <message>
        <source>lost between different orders</source>
        <translation>个在不同顺序之间丢失</translation>
    </message>
    <message>
        <source>for lack of a whole step</source>
        <translation>个因不足一个完整 step</translation>
    </message>
    <message>
        <source>not handed out</source>
        <translation>个没有被分发</translation>
    </message>
    <message>
        <source>for rank numbers that no rank uses</source>
        <translation>个分给没有任何 rank 使用的 rank 编号</translation>
    </message>
</context>
<context>
    <name>lens</name>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>%1 cannot run</source>
        <translation>%1 个无法运行</translation>
    </message>
    <message>
        <source>%1 with different batches</source>
        <translation>%1 列的 batch 不同</translation>
    </message>
    <message>
        <source>%1 with the same batches</source>
        <translation>%1 列的 batch 相同</translation>
    </message>
    <message>
        <source>another batch in this place</source>
        <translation>此处 batch 不同</translation>
    </message>
    <message>
        <source>%1, 1 of them loses samples</source>
        <translation>%1，其中 1 列丢失样本</translation>
    </message>
    <message>
        <source>%1, %2 of them lose samples</source>
        <translation>%1，其中 %2 列丢失样本</translation>
    </message>
    <message>
        <source>all %1</source>
        <translation>全部 %1</translation>
    </message>
    <message>
        <source>the only sample</source>
        <translation>唯一的样本</translation>
    </message>
    <message>
        <source>all samples</source>
        <translation>全部样本</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 of the samples</source>
        <translation>%1 的样本</translation>
    </message>
    <message>
        <source>%1 lost</source>
        <translation>丢失 %1</translation>
    </message>
    <message>
        <source>%1 extra readings</source>
        <translation>多余读取 %1</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>多 %1</translation>
    </message>
    <message>
        <source>The only batch differs</source>
        <translation>唯一的 batch 不同</translation>
    </message>
    <message>
        <source>All batches differ</source>
        <translation>所有 batch 都不同</translation>
    </message>
    <message>
        <source>%1 of the batches differ</source>
        <translation>%1 的 batch 不同</translation>
    </message>
    <message>
        <source>%1 of %2 differs</source>
        <translation>%2 中有 %1 个不同</translation>
    </message>
    <message>
        <source>%1 of %2 differ</source>
        <translation>%2 中有 %1 个不同</translation>
    </message>
    <message>
        <source>Too large for this machine</source>
        <translation>对本机来说过大</translation>
    </message>
    <message>
        <source>Not modelled</source>
        <translation>未建模</translation>
    </message>
    <message>
        <source>Cannot be planned</source>
        <translation>无法生成计划</translation>
    </message>
    <message>
        <source>Raises %1</source>
        <translation>抛出 %1</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参考</translation>
    </message>
    <message>
        <source>Same order</source>
        <translation>顺序相同</translation>
    </message>
    <message>
        <source>Same order as written</source>
        <translation>与设计顺序相同</translation>
    </message>
    <message>
        <source>No reference</source>
        <translation>没有参考</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>moved</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>read less often</source>
        <translation>读取次数减少</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>丢失</translation>
    </message>
    <message>
        <source>repeated</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>added</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>The same batch at the same rank and step.</source>
        <translation>同一 rank、同一个 step 上的 batch 相同。</translation>
    </message>
    <message>
        <source>Read by both, but at another rank, step or place.</source>
        <translation>两者都读取，但在不同的 rank、step 或位置。</translation>
    </message>
    <message>
        <source>Read less often than the design reads it.</source>
        <translation>比设计读取的次数少。</translation>
    </message>
    <message>
        <source>Samples that the design reads and this framework never does.</source>
        <translation>设计会读取而此框架从不读取的样本。</translation>
    </message>
    <message>
        <source>Read more often than the design reads it.</source>
        <translation>比设计读取的次数多。</translation>
    </message>
    <message>
        <source>Samples that the design never reads.</source>
        <translation>设计从不读取的样本。</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%2，共 %1</translation>
    </message>
    <message>
        <source>%1, 1 repeat</source>
        <translation>%1，1 次重复</translation>
    </message>
    <message>
        <source>%1, %2 repeats</source>
        <translation>%1，%2 次重复</translation>
    </message>
    <message>
        <source>nothing changes</source>
        <translation>不做修改</translation>
    </message>
    <message>
        <source>changes %1</source>
        <translation>修改 %1</translation>
    </message>
    <message>
        <source>sets %1</source>
        <translation>设置 %1</translation>
    </message>
    <message>
        <source>loses %1</source>
        <translation>丢失 %1</translation>
    </message>
    <message>
        <source>adds %1</source>
        <translation>增加 %1</translation>
    </message>
    <message>
        <source>reads %1 more</source>
        <translation>多读 %1</translation>
    </message>
    <message>
        <source>no sample is lost or read more often</source>
        <translation>不丢失样本，不增加读取</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>%1 instead of %2</source>
        <translation>%1，原为 %2</translation>
    </message>
    <message>
        <source>Each process keeps one batch in %1.</source>
        <translation>每个进程每 %1 个 batch 保留一个。</translation>
    </message>
    <message>
        <source>DistributedSampler divides, and prepare() divides again, without a warning. Leave the sampler out.</source>
        <translation>DistributedSampler 已经划分，prepare() 又划分一次，且没有警告。请去掉该采样器。</translation>
    </message>
    <message>
        <source>Rank 0&apos;s generator is sent to all ranks in each epoch: the ranks share one order, whatever they are seeded with.</source>
        <translation>每个 epoch 都会把 rank 0 的生成器发送给所有 rank：无论各 rank 用什么种子，它们都共用同一个顺序。</translation>
    </message>
    <message>
        <source>even_batches fills up an incomplete end with samples of the first batches.</source>
        <translation>even_batches 用最前面几个 batch 的样本补齐不完整的末尾。</translation>
    </message>
    <message>
        <source>batch_size is per process; with split_batches it is the total of all processes.</source>
        <translation>batch_size 按每个进程计；使用 split_batches 时，它是所有进程的总数。</translation>
    </message>
    <message>
        <source>DataLoader(shuffle=True), without the sampler</source>
        <translation>DataLoader(shuffle=True)，不用采样器</translation>
    </message>
    <message>
        <source>Without the sampler</source>
        <translation>不用采样器</translation>
    </message>
    <message>
        <source>The design is written for this framework, and is read as it is.</source>
        <translation>设计就是为此框架编写的，按原样读取。</translation>
    </message>
    <message>
        <source>ShardLens does not model how it handles %1</source>
        <translation>ShardLens 没有对它如何处理 %1 建模</translation>
    </message>
    <message>
        <source>With one process, the loader stays as it is.</source>
        <translation>只有一个进程时，加载器保持原样。</translation>
    </message>
    <message>
        <source>Only rank 0 reads the dataset, and sends every process its part of each batch.</source>
        <translation>只有 rank 0 读取数据集，并把每个 batch 的相应部分发送给每个进程。</translation>
    </message>
    <message>
        <source>ShardLens does not model what workers, or a dataset that divides itself, give to rank 0</source>
        <translation>ShardLens 没有对 worker 或自行划分的数据集交给 rank 0 的内容建模</translation>
    </message>
    <message>
        <source>As written</source>
        <translation>按设计</translation>
    </message>
    <message>
        <source>The design itself, the reference for the other columns.</source>
        <translation>设计本身，是其他列的参考。</translation>
    </message>
    <message>
        <source>Without split_dataset_by_node every rank reads the whole dataset (datasets#5360).</source>
        <translation>没有 split_dataset_by_node 时，每个 rank 都读取整个数据集（datasets#5360）。</translation>
    </message>
    <message>
        <source>The dataset is shuffled once, and each rank reads one contiguous part of it.</source>
        <translation>数据集只打乱一次，每个 rank 读取其中连续的一部分。</translation>
    </message>
    <message>
        <source>Each rank reads one contiguous part of the dataset, in order.</source>
        <translation>每个 rank 按顺序读取数据集中连续的一部分。</translation>
    </message>
    <message>
        <source>shuffle(seed=%1) is called once: every epoch has the same order unless the script shuffles again.</source>
        <translation>shuffle(seed=%1) 只调用一次：除非脚本再次打乱，否则每个 epoch 的顺序都相同。</translation>
    </message>
    <message>
        <source>in split_dataset_by_node()</source>
        <translation>在 split_dataset_by_node() 中</translation>
    </message>
    <message>
        <source>Each rank streams its own files, through a shuffle buffer.</source>
        <translation>每个 rank 经由 shuffle buffer 流式读取自己的文件。</translation>
    </message>
    <message>
        <source>Each rank streams its own files.</source>
        <translation>每个 rank 流式读取自己的文件。</translation>
    </message>
    <message>
        <source>Every rank reads all files and keeps one sample of %1, through a shuffle buffer.</source>
        <translation>每个 rank 经由 shuffle buffer 读取所有文件，每 %1 个样本保留一个。</translation>
    </message>
    <message>
        <source>Every rank reads all files and keeps one sample of %1.</source>
        <translation>每个 rank 读取所有文件，每 %1 个样本保留一个。</translation>
    </message>
    <message>
        <source>datasets, streaming</source>
        <translation>datasets，流式</translation>
    </message>
    <message>
        <source>shuffle() counts its sources as files: they are fewer than the design has, and the world size does not divide them (datasets#8669).</source>
        <translation>shuffle() 把数据源当作文件来计数：它们比设计中的少，而且无法被 world size 整除（datasets#8669）。</translation>
    </message>
    <message>
        <source>when the first sample is read</source>
        <translation>读取第一个样本时</translation>
    </message>
    <message>
        <source>The engine takes the dataset and creates its own DistributedSampler.</source>
        <translation>引擎接收数据集，并创建自己的 DistributedSampler。</translation>
    </message>
    <message>
        <source>It never calls set_epoch: every epoch has the order of the first one.</source>
        <translation>它从不调用 set_epoch：每个 epoch 都是第一个 epoch 的顺序。</translation>
    </message>
    <message>
        <source>detectron2, training</source>
        <translation>detectron2，训练</translation>
    </message>
    <message>
        <source>One endless stream of permutations is divided sample by sample: an epoch here is its next section.</source>
        <translation>一条无尽的排列流逐个样本地划分：此处的一个 epoch 是它的下一段。</translation>
    </message>
    <message>
        <source>By default aspect_ratio_grouping puts wide and tall images into separate batches: shown is aspect_ratio_grouping=False.</source>
        <translation>默认情况下，aspect_ratio_grouping 把宽图和高图放入不同的 batch：此处显示的是 aspect_ratio_grouping=False。</translation>
    </message>
    <message>
        <source>With TrainingSampler(size, seed=%1); without a seed the ranks agree on a random one.</source>
        <translation>使用 TrainingSampler(size, seed=%1)；没有种子时，各 rank 会商定一个随机种子。</translation>
    </message>
    <message>
        <source>total_batch_size is the batch size of all ranks together.</source>
        <translation>total_batch_size 是所有 rank 合计的 batch 大小。</translation>
    </message>
    <message>
        <source>detectron2, evaluation</source>
        <translation>detectron2，评估</translation>
    </message>
    <message>
        <source>Each rank reads one contiguous part of the dataset, nothing twice; the first ranks may read one sample more.</source>
        <translation>每个 rank 读取数据集中连续的一部分，不会重复；前几个 rank 可能多读一个样本。</translation>
    </message>
    <message>
        <source>build_detection_test_loader takes batch_size; its default is 1.</source>
        <translation>build_detection_test_loader 接受 batch_size；其默认值为 1。</translation>
    </message>
    <message>
        <source>Batches of neighbours are made once; each epoch shuffles the batches and hands them to the ranks in turn.</source>
        <translation>由相邻样本组成的 batch 只生成一次；每个 epoch 打乱这些 batch，并轮流交给各 rank。</translation>
    </message>
    <message>
        <source>Batches of neighbours go to the ranks in turn.</source>
        <translation>由相邻样本组成的 batch 轮流交给各 rank。</translation>
    </message>
    <message>
        <source>Shown for a dataset whose ordered_indices() keeps its order; most of fairseq&apos;s sort by length first.</source>
        <translation>此处显示的是 ordered_indices() 保持原有顺序的数据集；fairseq 的大多数数据集会先按长度排序。</translation>
    </message>
    <message>
        <source>Ranks with too few batches get empty ones; drop_last has no effect.</source>
        <translation>batch 不够的 rank 会得到空 batch；drop_last 不起作用。</translation>
    </message>
    <message>
        <source>With --seed %1; its default is 1.</source>
        <translation>使用 --seed %1；其默认值为 1。</translation>
    </message>
    <message>
        <source>Each rank has one contiguous part of the dataset, shuffled within that part.</source>
        <translation>每个 rank 拥有数据集中连续的一部分，并在该部分内打乱。</translation>
    </message>
    <message>
        <source>Each rank has one contiguous part of the dataset, in order.</source>
        <translation>每个 rank 按顺序拥有数据集中连续的一部分。</translation>
    </message>
    <message>
        <source>A second pass over the loader has the same order: epochs are counted within one pass, by num_epochs.</source>
        <translation>第二次遍历加载器时顺序相同：epoch 由 num_epochs 在一次遍历内计数。</translation>
    </message>
    <message>
        <source>With ShardByJaxProcess() and one process per rank; without it every process reads everything.</source>
        <translation>使用 ShardByJaxProcess()，每个 rank 一个进程；否则每个进程都读取全部数据。</translation>
    </message>
    <message>
        <source>in fabric.setup_dataloaders()</source>
        <translation>在 fabric.setup_dataloaders() 中</translation>
    </message>
    <message>
        <source>in trainer.%1(), before the first batch</source>
        <translation>在 trainer.%1() 中，第一个 batch 之前</translation>
    </message>
    <message>
        <source>ShardLens does not model this combination.</source>
        <translation>ShardLens 没有对此组合建模。</translation>
    </message>
    <message>
        <source>Lightning refuses this loader.</source>
        <translation>Lightning 拒绝此加载器。</translation>
    </message>
    <message>
        <source>not predictable: ShardLens does not model how Lightning handles %1.</source>
        <translation>无法预测，因为 ShardLens 没有对 Lightning 如何处理 %1 建模。</translation>
    </message>
    <message>
        <source>the generator</source>
        <translation>生成器</translation>
    </message>
    <message>
        <source>Lost without a warning: %1.</source>
        <translation>在没有警告的情况下丢失：%1。</translation>
    </message>
    <message>
        <source>In training it always shuffles, even a sequential sampler (pytorch-lightning#21131, #10170).</source>
        <translation>训练时它总会打乱，即使是顺序采样器（pytorch-lightning#21131、#10170）。</translation>
    </message>
    <message>
        <source>In training the wrapper permutes the pass, so a handmade order is lost (pytorch-lightning#21131).</source>
        <translation>训练时包装器会重新排列这一遍，因此手工编排的顺序会丢失（pytorch-lightning#21131）。</translation>
    </message>
    <message>
        <source>The batch sampler stays as it is: every rank predicts everything (pytorch-lightning#19964).</source>
        <translation>batch 采样器保持原样：每个 rank 都对全部样本做预测（pytorch-lightning#19964）。</translation>
    </message>
    <message>
        <source>Prediction never pads and never drops the last batch; ranks may differ by one sample.</source>
        <translation>预测时从不补齐，也从不丢弃最后一个 batch；各 rank 可能相差一个样本。</translation>
    </message>
    <message>
        <source>The sampler inside the batch sampler is lost: the dataset is read in order.</source>
        <translation>batch 采样器内部的采样器会丢失：数据集按顺序读取。</translation>
    </message>
    <message>
        <source>The epoch alone seeds the permutation: PL_GLOBAL_SEED has no effect.</source>
        <translation>排列仅以 epoch 为种子：PL_GLOBAL_SEED 不起作用。</translation>
    </message>
    <message>
        <source>On one rank the loader is recreated too, with the same sampler.</source>
        <translation>只有一个 rank 时，加载器也会重新创建，使用同一个采样器。</translation>
    </message>
    <message>
        <source>Batching is lost without a warning: the loader yields single samples without a batch dimension.</source>
        <translation>在没有警告的情况下不再组成 batch：加载器给出没有 batch 维度的单个样本。</translation>
    </message>
    <message>
        <source>The batch size becomes 1 without a warning.</source>
        <translation>batch 大小在没有警告的情况下变为 1。</translation>
    </message>
    <message>
        <source>With one rank and no strategy ddp, the loader stays as it is.</source>
        <translation>只有一个 rank 且没有使用 ddp 策略时，加载器保持原样。</translation>
    </message>
    <message>
        <source>With use_distributed_sampler=False, the loader stays as it is on every rank.</source>
        <translation>使用 use_distributed_sampler=False 时，每个 rank 上的加载器都保持原样。</translation>
    </message>
    <message>
        <source>The sampler is already a DistributedSampler: Lightning keeps it and calls set_epoch.</source>
        <translation>采样器已经是 DistributedSampler：Lightning 保留它并调用 set_epoch。</translation>
    </message>
    <message>
        <source>%1 is replaced with a DistributedSampler.</source>
        <translation>%1 被替换为 DistributedSampler。</translation>
    </message>
    <message>
        <source>The sampler is wrapped: each rank draws one whole pass and takes all of it.</source>
        <translation>采样器被包装：每个 rank 抽取完整的一遍，并取其全部。</translation>
    </message>
    <message>
        <source>The sampler is wrapped: each rank draws one whole pass and takes one of %1 positions of it.</source>
        <translation>采样器被包装：每个 rank 抽取完整的一遍，并从中每 %1 个位置取一个。</translation>
    </message>
    <message>
        <source>Prediction wraps the sampler without padding: each rank takes all of it.</source>
        <translation>预测时包装采样器而不补齐：每个 rank 取其全部。</translation>
    </message>
    <message>
        <source>Prediction wraps the sampler without padding: each rank takes one of %1 positions of it.</source>
        <translation>预测时包装采样器而不补齐：每个 rank 从中每 %1 个位置取一个。</translation>
    </message>
    <message>
        <source>Prediction recreates the loader around the sampler of the design.</source>
        <translation>预测时围绕设计的采样器重新创建加载器。</translation>
    </message>
    <message>
        <source>overfit_batches first replaces the sampler with a sequential one.</source>
        <translation>overfit_batches 首先把采样器替换为顺序采样器。</translation>
    </message>
    <message>
        <source>Seed 0 unless seed_everything is called: every run has the same order (pytorch-lightning#20249).</source>
        <translation>除非调用 seed_everything，否则种子为 0：每次运行的顺序都相同（pytorch-lightning#20249）。</translation>
    </message>
    <message>
        <source>Only the first overfit_batches batches of each epoch are used.</source>
        <translation>每个 epoch 只使用最前面的 overfit_batches 个 batch。</translation>
    </message>
    <message>
        <source>Nothing divides the samples: every rank draws from all of them, and ranks with equal seeds draw the same batches (pytorch-lightning#3716).</source>
        <translation>没有任何机制划分样本：每个 rank 都从全部样本中抽取，种子相同的 rank 会抽到相同的 batch（pytorch-lightning#3716）。</translation>
    </message>
    <message>
        <source>A newer Lightning</source>
        <translation>更新版本的 Lightning</translation>
    </message>
    <message>
        <source>2.6.2, the newest release examined, still does the same.</source>
        <translation>2.6.2 是检查过的最新版本，行为仍然相同。</translation>
    </message>
    <message>
        <source>No release up to 2.6.2, the newest examined, accepts this loader.</source>
        <translation>直到检查过的最新版本 2.6.2，没有任何版本接受此加载器。</translation>
    </message>
    <message>
        <source>Before 2.1 it failed with an AttributeError: no attribute &apos;batch_size&apos; (pytorch-lightning#19371, #18402).</source>
        <translation>在 2.1 之前，它会因 AttributeError 失败：no attribute &apos;batch_size&apos;（pytorch-lightning#19371、#18402）。</translation>
    </message>
    <message>
        <source>Inherit from BatchSampler(sampler, batch_size, drop_last)</source>
        <translation>继承 BatchSampler(sampler, batch_size, drop_last)</translation>
    </message>
    <message>
        <source>Lightning then accepts the class and passes it a DistributedSampler.</source>
        <translation>此后 Lightning 会接受该类，并向它传入 DistributedSampler。</translation>
    </message>
    <message>
        <source>The two streams come from lists, not from that sampler: unless the class is rewritten to use it, every rank continues as before (pytorch-lightning#19183).</source>
        <translation>两条流来自列表，而不是来自该采样器：除非改写该类以使用它，否则每个 rank 都和以前一样（pytorch-lightning#19183）。</translation>
    </message>
    <message>
        <source>Create it inside the *_dataloader hook: outside, other arguments are reset to their defaults or missing (pytorch-lightning#18402).</source>
        <translation>请在 *_dataloader hook 内创建它：在外部创建时，其他参数会重置为默认值或缺失（pytorch-lightning#18402）。</translation>
    </message>
    <message>
        <source>A sampler that divides by rank</source>
        <translation>按 rank 划分的采样器</translation>
    </message>
    <message>
        <source>ShardLens&apos; own variant of the rule, which no published class has, divides the batches between the ranks.</source>
        <translation>ShardLens 自己的规则变体（没有任何已发布的类具备）把 batch 划分给各 rank。</translation>
    </message>
    <message>
        <source>Use it with use_distributed_sampler=False: Lightning inspects batch samplers without asking whether they know ranks.</source>
        <translation>请与 use_distributed_sampler=False 一起使用：Lightning 检查 batch 采样器时，不会询问它们是否了解 rank。</translation>
    </message>
    <message>
        <source>The script creates a DistributedSampler with the intended shuffle, and Lightning keeps it.</source>
        <translation>脚本创建按预期打乱的 DistributedSampler，Lightning 会保留它。</translation>
    </message>
    <message>
        <source>The script creates DistributedSamplerWrapper(sampler, shuffle=False), which divides the sampler&apos;s own order, and Lightning keeps it.</source>
        <translation>脚本创建 DistributedSamplerWrapper(sampler, shuffle=False)，它划分该采样器自己的顺序，Lightning 会保留它。</translation>
    </message>
    <message>
        <source>Each data-parallel rank sees only its own contiguous part of the dataset, with the same permutation on all ranks.</source>
        <translation>每个数据并行 rank 只能看到数据集中属于自己的连续部分，所有 rank 使用同一个排列。</translation>
    </message>
    <message>
        <source>The seed is the epoch alone: every run has the same order.</source>
        <translation>种子仅为 epoch：每次运行的顺序都相同。</translation>
    </message>
    <message>
        <source>Each step takes the next samples in order, one micro batch per data-parallel rank.</source>
        <translation>每个 step 按顺序取接下来的样本，每个数据并行 rank 一个 micro batch。</translation>
    </message>
    <message>
        <source>Its samplers do not shuffle; in Megatron-LM the dataset&apos;s own index does.</source>
        <translation>它的采样器不打乱；在 Megatron-LM 中由数据集自己的索引打乱。</translation>
    </message>
    <message>
        <source>Samples that do not fill a step on all ranks are dropped.</source>
        <translation>不足以填满所有 rank 一个 step 的样本会被丢弃。</translation>
    </message>
    <message>
        <source>Its DefaultSampler divides the dataset sample by sample, padded so that all ranks have the same number.</source>
        <translation>它的 DefaultSampler 逐个样本地划分数据集，并补齐到所有 rank 数量相同。</translation>
    </message>
    <message>
        <source>With randomness=dict(seed=%1); without a seed the ranks agree on one from the clock.</source>
        <translation>使用 randomness=dict(seed=%1)；没有种子时，各 rank 会商定一个取自时钟的种子。</translation>
    </message>
    <message>
        <source>Workers are seeded by rank and worker alone: new workers augment the same way in every epoch.</source>
        <translation>worker 的种子仅取决于 rank 和 worker：新的 worker 在每个 epoch 中做相同的增强。</translation>
    </message>
    <message>
        <source>It takes the dataset and ignores the sampler of the design.</source>
        <translation>它接收数据集，并忽略设计的采样器。</translation>
    </message>
    <message>
        <source>not predictable: %1.</source>
        <translation>无法预测，因为%1。</translation>
    </message>
    <message>
        <source>when the dataset is iterated</source>
        <translation>遍历数据集时</translation>
    </message>
    <message>
        <source>The dataset is cut into one contiguous part per node, shuffled within it, and divided among the ranks and their workers.</source>
        <translation>数据集按节点切成连续的部分，在其中打乱，再划分给各 rank 及其 worker。</translation>
    </message>
    <message>
        <source>The dataset is cut into one contiguous part per node and divided among the ranks and their workers.</source>
        <translation>数据集按节点切成连续的部分，再划分给各 rank 及其 worker。</translation>
    </message>
    <message>
        <source>Shown as if all samples were in one shard: fill in dataset.shards.</source>
        <translation>按所有样本都在一个 shard 中的情况显示：请填写 dataset.shards。</translation>
    </message>
    <message>
        <source>With shuffle_algo=&apos;py1e&apos; and shuffle_seed=9176, its defaults: every run has the same order.</source>
        <translation>使用默认值 shuffle_algo=&apos;py1e&apos; 和 shuffle_seed=9176：每次运行的顺序都相同。</translation>
    </message>
    <message>
        <source>Another number of nodes gives another order, unless num_canonical_nodes is set (streaming PR 479).</source>
        <translation>除非设置 num_canonical_nodes，否则节点数不同时顺序也不同（streaming PR 479）。</translation>
    </message>
    <message>
        <source>On one process timm adds no sampler: the loader shuffles by torch&apos;s global generator and drops a short last batch.</source>
        <translation>只有一个进程时，timm 不添加采样器：加载器用 torch 的全局生成器打乱，并丢弃不足的最后一个 batch。</translation>
    </message>
    <message>
        <source>On one process timm adds no sampler: the loader reads the dataset in order.</source>
        <translation>只有一个进程时，timm 不添加采样器：加载器按顺序读取数据集。</translation>
    </message>
    <message>
        <source>timm create_loader, evaluation</source>
        <translation>timm create_loader，评估</translation>
    </message>
    <message>
        <source>The dataset in order, divided sample by sample.</source>
        <translation>按顺序的数据集，逐个样本地划分。</translation>
    </message>
    <message>
        <source>Padding repeats samples, so an evaluation counts some twice.</source>
        <translation>补齐会重复样本，因此评估时有些样本会计算两次。</translation>
    </message>
    <message>
        <source>timm create_loader, training</source>
        <translation>timm create_loader，训练</translation>
    </message>
    <message>
        <source>It creates its own DistributedSampler and a loader that drops a short last batch.</source>
        <translation>它创建自己的 DistributedSampler，以及一个丢弃不足的最后一个 batch 的加载器。</translation>
    </message>
    <message>
        <source>The seed is always 0.</source>
        <translation>种子始终为 0。</translation>
    </message>
    <message>
        <source>It keeps the sampler that it gets.</source>
        <translation>它保留所得到的采样器。</translation>
    </message>
    <message>
        <source>To resume without iterating over what was read, use its StatefulDistributedSampler: the same order. Call set_epoch before load_state_dict (pytorch/data#1513).</source>
        <translation>要在续训时不遍历已读取的部分，请使用它的 StatefulDistributedSampler：顺序相同。请在 load_state_dict 之前调用 set_epoch（pytorch/data#1513）。</translation>
    </message>
    <message>
        <source>shuffle=True creates a RandomSampler that shares the loader&apos;s generator.</source>
        <translation>shuffle=True 创建一个与加载器共用生成器的 RandomSampler。</translation>
    </message>
    <message>
        <source>ShardLens does not model when the loader draws from that generator in between</source>
        <translation>ShardLens 没有对加载器在其间何时从该生成器抽取建模</translation>
    </message>
    <message>
        <source>shuffle=True creates a RandomSampler: its generator is seeded once and continues over the epochs.</source>
        <translation>shuffle=True 创建一个 RandomSampler：它的生成器只设一次种子，并在各 epoch 间延续。</translation>
    </message>
    <message>
        <source>Nothing divides the samples: every rank draws identical batches.</source>
        <translation>没有任何机制划分样本：每个 rank 抽到相同的 batch。</translation>
    </message>
    <message>
        <source>Nothing divides the samples: every rank draws from all of them.</source>
        <translation>没有任何机制划分样本：每个 rank 都从全部样本中抽取。</translation>
    </message>
    <message>
        <source>%1 is not a sampler of a torch DataLoader</source>
        <translation>%1 不是 torch DataLoader 的采样器</translation>
    </message>
    <message>
        <source>StreamingDataset has a state_dict that needs arguments, and torchdata calls it without any: use Streaming&apos;s StreamingDataLoader</source>
        <translation>StreamingDataset 的 state_dict 需要参数，而 torchdata 调用它时不带参数：请使用 Streaming 的 StreamingDataLoader</translation>
    </message>
    <message>
        <source>In training it shuffles, even a sequential sampler.</source>
        <translation>训练时它会打乱，即使是顺序采样器。</translation>
    </message>
    <message>
        <source>It gives every rank the same seed, whatever the script did before.</source>
        <translation>无论脚本之前做了什么，它都给每个 rank 相同的种子。</translation>
    </message>
    <message>
        <source>The lengths are used only with group_by_length=True, by a LengthGroupedSampler.</source>
        <translation>只有在 group_by_length=True 时，LengthGroupedSampler 才会使用长度。</translation>
    </message>
    <message>
        <source>With TrainingArguments(seed=%1); the default is 42. batch_size is per_device_train_batch_size.</source>
        <translation>使用 TrainingArguments(seed=%1)；默认值为 42。batch_size 即 per_device_train_batch_size。</translation>
    </message>
    <message>
        <source>It creates a LengthGroupedSampler without a generator, and hands whole batches to the ranks in turn.</source>
        <translation>它创建一个没有生成器的 LengthGroupedSampler，并把整个 batch 轮流交给各 rank。</translation>
    </message>
    <message>
        <source>that sampler draws from torch&apos;s global stream, after the draws that initialize the model</source>
        <translation>该采样器在初始化模型的抽取之后，从 torch 的全局流中抽取</translation>
    </message>
    <message>
        <source>It permutes the dataset by seed + epoch and hands whole batches to the ranks in turn.</source>
        <translation>它用 seed + epoch 排列数据集，并把整个 batch 轮流交给各 rank。</translation>
    </message>
    <message>
        <source>in trainer.train(), before the first batch</source>
        <translation>在 trainer.train() 中，第一个 batch 之前</translation>
    </message>
    <message>
        <source>Each worker of each rank reads its own tar files, one after another.</source>
        <translation>每个 rank 的每个 worker 逐个读取自己的 tar 文件。</translation>
    </message>
    <message>
        <source>The tar files are shuffled, but not the samples in them: that takes a .shuffle(n), which is seeded by time and process unless it gets a seed.</source>
        <translation>打乱的是 tar 文件，而不是其中的样本：后者需要 .shuffle(n)，除非给定种子，否则其种子取自时间和进程。</translation>
    </message>
    <message>
        <source>It reads tar files, and divides files rather than samples.</source>
        <translation>它读取 tar 文件，并划分文件而不是样本。</translation>
    </message>
    <message>
        <source>the design does not say how many samples each tar file has (fill in dataset.shards)</source>
        <translation>设计没有说明每个 tar 文件有多少样本（请填写 dataset.shards）</translation>
    </message>
    <message>
        <source>It refuses more than one rank until the script says how tar files are split between ranks.</source>
        <translation>在脚本说明如何在各 rank 之间划分 tar 文件之前，它拒绝一个以上的 rank。</translation>
    </message>
    <message>
        <source>The design has an error.</source>
        <translation>设计有错误。</translation>
    </message>
    <message>
        <source>when the sampler is created</source>
        <translation>创建采样器时</translation>
    </message>
    <message>
        <source>while the epoch is read</source>
        <translation>读取 epoch 时</translation>
    </message>
    <message>
        <source>too much for this machine</source>
        <translation>对本机来说过大</translation>
    </message>
    <message>
        <source>cannot be planned</source>
        <translation>无法生成计划</translation>
    </message>
    <message>
        <source>raises %1</source>
        <translation>抛出 %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%2%1</translation>
    </message>
    <message>
        <source>the only batch differs</source>
        <translation>唯一的 batch 不同</translation>
    </message>
    <message>
        <source>all %1 differ</source>
        <translation>%1 全部不同</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>the reference</source>
        <translation>参考</translation>
    </message>
    <message>
        <source>the same order, batch for batch</source>
        <translation>顺序相同，每个 batch 都一致</translation>
    </message>
    <message>
        <source>not modelled</source>
        <translation>未建模</translation>
    </message>
    <message>
        <source>%1, with no reference to compare with</source>
        <translation>%1，没有可比较的参考</translation>
    </message>
    <message>
        <source>first at rank %1, step %2</source>
        <translation>首次出现在 rank %1，step %2</translation>
    </message>
    <message>
        <source>the same order</source>
        <translation>顺序相同</translation>
    </message>
    <message>
        <source>the same samples in each batch, in another order</source>
        <translation>每个 batch 的样本相同，但顺序不同</translation>
    </message>
    <message>
        <source>the same samples in each step, but on other ranks</source>
        <translation>每个 step 的样本相同，但位于不同的 rank</translation>
    </message>
    <message>
        <source>the same samples in another order</source>
        <translation>样本相同，顺序不同</translation>
    </message>
    <message>
        <source>the same samples, some more often or less often</source>
        <translation>样本相同，有些读取得更多或更少</translation>
    </message>
    <message>
        <source>%1 left out</source>
        <translation>%1 个被遗漏</translation>
    </message>
    <message>
        <source>%1 that the design leaves out</source>
        <translation>%1 个是设计中没有的</translation>
    </message>
    <message>
        <source>other samples: %1</source>
        <translation>样本不同：%1</translation>
    </message>
    <message>
        <source>sample %1</source>
        <translation>样本 %1</translation>
    </message>
    <message>
        <source>ShardLens does not model how a DistributedProxySampler handles %1</source>
        <translation>ShardLens 没有对 DistributedProxySampler 如何处理 %1 建模</translation>
    </message>
    <message>
        <source>It wraps the sampler: every rank draws all its passes alike and keeps its share.</source>
        <translation>它包装该采样器：每个 rank 以相同方式抽取整遍，并保留自己的份额。</translation>
    </message>
    <message>
        <source>It seeds torch&apos;s global generator with the epoch on every rank: seeds of the script have no effect.</source>
        <translation>它在每个 rank 上用 epoch 作为 torch 全局生成器的种子：脚本的任何种子都不起作用。</translation>
    </message>
    <message>
        <source>It creates a DistributedSampler for a loader that was given no sampler.</source>
        <translation>它为没有给出采样器的加载器创建一个 DistributedSampler。</translation>
    </message>
    <message>
        <source>Nothing calls set_epoch by itself: without a handler that does, every epoch has one order.</source>
        <translation>没有任何代码会自动调用 set_epoch：如果没有处理函数来调用它，每个 epoch 的顺序都相同。</translation>
    </message>
    <message>
        <source>It keeps the DistributedSampler of the script.</source>
        <translation>它保留脚本的 DistributedSampler。</translation>
    </message>
    <message>
        <source>It leaves a batch sampler as it is, and warns.</source>
        <translation>它原样保留 batch 采样器，并发出警告。</translation>
    </message>
    <message>
        <source>It leaves a stream as it is.</source>
        <translation>它原样保留数据流。</translation>
    </message>
    <message>
        <source>On one process it changes neither the sampler nor the batches.</source>
        <translation>只有一个进程时，它既不改变采样器，也不改变 batch。</translation>
    </message>
    <message>
        <source>It takes batch_size as the total of all ranks: each gets %1.</source>
        <translation>它把 batch_size 当作所有 rank 的总和：每个 rank 得到 %1。</translation>
    </message>
    <message>
        <source>Megatron-Bridge since 2026-09-03, cyclic</source>
        <translation>Megatron-Bridge 2026-09-03 起，cyclic</translation>
    </message>
    <message>
        <source>Megatron-Bridge before 2026-09-03, cyclic</source>
        <translation>Megatron-Bridge 2026-09-03 之前，cyclic</translation>
    </message>
    <message>
        <source>One permutation of the whole dataset, cut to whole steps of all ranks.</source>
        <translation>对整个数据集做一个排列，再截到所有 rank 的整数个 step。</translation>
    </message>
    <message>
        <source>Built from the description of PR 5944, and not compared with recorded output of the class.</source>
        <translation>根据 PR 5944 的描述实现：没有该类的任何输出记录检验过它。</translation>
    </message>
    <message>
        <source>One permutation of all whole micro batches, through which the ranks stride.</source>
        <translation>对所有完整的微 batch 做一个排列，各 rank 按间隔从中读取。</translation>
    </message>
    <message>
        <source>Ranks may get different numbers of batches, and then wait for each other.</source>
        <translation>各 rank 的 batch 数可能不同，于是会互相等待。</translation>
    </message>
    <message>
        <source>Training loops</source>
        <translation>训练循环</translation>
    </message>
    <message>
        <source>Large models</source>
        <translation>大模型</translation>
    </message>
    <message>
        <source>Vision</source>
        <translation>视觉</translation>
    </message>
    <message>
        <source>Streamed datasets</source>
        <translation>流式数据集</translation>
    </message>
    <message>
        <source>Loaders</source>
        <translation>加载器</translation>
    </message>
    <message>
        <source>For this design</source>
        <translation>适合此设计</translation>
    </message>
    <message>
        <source>overfit_batches replaces the sampler with a sequential one, and the loader stays as it is then.</source>
        <translation>overfit_batches 将采样器换成顺序采样器，之后加载器保持不变。</translation>
    </message>
    <message>
        <source>the same samples on the same ranks, beside batches without any</source>
        <translation>相同 rank 上的样本相同，另有不含样本的 batch</translation>
    </message>
    <message>
        <source>The ranks draw different random numbers, and nothing synchronizes NumPy: each takes its share of a different stream, so several ranks may read one sample, and no rank another.</source>
        <translation>各 rank 抽取不同的随机数，而 NumPy 没有任何同步：每个 rank 从不同的流中取自己的一份，因此一个样本可能被多个 rank 读取，另一个则没有 rank 读取。</translation>
    </message>
    <message>
        <source>split_dataset_by_node pads and cuts nothing: ranks with more batches than others wait for them in vain (datasets#6437).</source>
        <translation>split_dataset_by_node 不补齐也不截断：batch 更多的 rank 会徒劳地等待其他 rank（datasets#6437）。</translation>
    </message>
    <message>
        <source>Each of the worker_count workers makes batches from its own share of the records.</source>
        <translation>worker_count 个 worker 各自用自己那一份记录组成 batch。</translation>
    </message>
    <message>
        <source>The ranks draw different random numbers, so each divides a different pass: several ranks may read one sample, and no rank another (pytorch-lightning#10946, #12866).</source>
        <translation>各 rank 抽取不同的随机数，因此各自划分不同的一遍：一个样本可能被多个 rank 读取，另一个则没有 rank 读取（pytorch-lightning#10946、#12866）。</translation>
    </message>
    <message>
        <source>Prediction never drops the last batch.</source>
        <translation>预测从不丢弃最后一个 batch。</translation>
    </message>
    <message>
        <source>To resume without iterating over what was read, use its StatefulDistributedSampler: the same order. Its state holds the epoch.</source>
        <translation>若要恢复时不遍历已读的部分，请使用它的 StatefulDistributedSampler：顺序相同，其状态包含 epoch。</translation>
    </message>
    <message>
        <source>Each rank has one contiguous part of the dataset, divided among its workers.</source>
        <translation>每个 rank 有数据集中一段连续的部分，由它的各个 worker 分担。</translation>
    </message>
    <message>
        <source>ShardLens does not model how it divides orders that differ from rank to rank</source>
        <translation>ShardLens 不模拟它如何划分各 rank 不同的顺序</translation>
    </message>
    <message>
        <source>when the Trainer is created</source>
        <translation>在创建 Trainer 时</translation>
    </message>
    <message>
        <source>ShardLens does not model how it deals to the groups of world.groups</source>
        <translation>ShardLens 没有对它如何给 world.groups 的各组分发建模</translation>
    </message>
</context>
<context>
    <name>list</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另外 %1 个</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>column %1</source>
        <translation>第 %1 列</translation>
    </message>
    <message>
        <source>The table has more than 1000 columns.</source>
        <translation>表格超过 1000 列。</translation>
    </message>
    <message>
        <source>give a file with the one column</source>
        <translation>请提供只有这一列的文件</translation>
    </message>
    <message>
        <source>The line has no such column.</source>
        <translation>该行没有这一列。</translation>
    </message>
    <message>
        <source>a number of 64 bits</source>
        <translation>可用 64 位表示的数</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>The list is longer than %1 items.</source>
        <translation>列表超过 %1 项。</translation>
    </message>
    <message>
        <source>%1 is out of range: it must be %2.</source>
        <translation>%1 超出范围：必须为 %2。</translation>
    </message>
    <message>
        <source>%1 is not a whole number.</source>
        <translation>%1 不是整数。</translation>
    </message>
    <message>
        <source>%1 is not a finite number.</source>
        <translation>%1 不是有限数。</translation>
    </message>
    <message>
        <source>%1 is not a number.</source>
        <translation>%1 不是数。</translation>
    </message>
    <message>
        <source>%1 is not a whole number, a range such as 0..9 or a repetition such as 64 x 1000.</source>
        <translation>%1 不是整数、范围（如 0..9）或重复（如 64 x 1000）。</translation>
    </message>
    <message>
        <source>There are %1, but the dataset has %2.</source>
        <translation>有 %1，但数据集有 %2。</translation>
    </message>
    <message>
        <source>a binary value</source>
        <translation>二进制值</translation>
    </message>
    <message>
        <source>It holds an object: a list is one array of numbers.</source>
        <translation>其中有一个对象：列表应是一个数的数组。</translation>
    </message>
    <message>
        <source>It holds an array inside another: a list is one array of numbers.</source>
        <translation>其中有嵌套的数组：列表应是一个数的数组。</translation>
    </message>
    <message>
        <source>It is a single number: a list is one array of numbers.</source>
        <translation>它是单个数：列表应是一个数的数组。</translation>
    </message>
    <message>
        <source>It is %1: a list is one array of numbers.</source>
        <translation>它是 %1：列表应是一个数的数组。</translation>
    </message>
    <message>
        <source>%1 is not a number that a list can hold.</source>
        <translation>%1 不是列表可以包含的数。</translation>
    </message>
    <message>
        <source>It is not JSON: line %1 cannot be read.</source>
        <translation>它不是 JSON：无法读取第 %1 行。</translation>
    </message>
    <message>
        <source>The file is not a whole .npy file: its header is cut off.</source>
        <translation>文件不是完整的 .npy 文件：文件头被截断。</translation>
    </message>
    <message>
        <source>The file is not a .npy file.</source>
        <translation>文件不是 .npy 文件。</translation>
    </message>
    <message>
        <source>The array holds records, not numbers.</source>
        <translation>数组包含的是记录，而不是数。</translation>
    </message>
    <message>
        <source>save one of its fields: numpy.save(file, a[&apos;field&apos;])</source>
        <translation>请保存其中一个字段：numpy.save(file, a[&apos;field&apos;])</translation>
    </message>
    <message>
        <source>The file&apos;s header does not say the shape of the array.</source>
        <translation>文件头没有说明数组的形状。</translation>
    </message>
    <message>
        <source>%1 is too large.</source>
        <translation>%1 太大。</translation>
    </message>
    <message>
        <source>The file is cut off: its header says %1 items, but it holds %2.</source>
        <translation>文件被截断：声明有 %1 项，实际有 %2 项。</translation>
    </message>
    <message>
        <source>The array has %1 dimensions: a list has one.</source>
        <translation>数组有 %1 维：列表只有一维。</translation>
    </message>
    <message>
        <source>save one column: numpy.save(file, a[:, 0])</source>
        <translation>请保存其中一列：numpy.save(file, a[:, 0])</translation>
    </message>
    <message>
        <source>The array is of type %1: a list is of integers or floats.</source>
        <translation>数组的类型为 %1：列表应为整数或浮点数。</translation>
    </message>
    <message>
        <source>convert it: a.astype(&apos;int64&apos;)</source>
        <translation>请转换它：a.astype(&apos;int64&apos;)</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>从 %1 到 %2</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>item %1</source>
        <translation>第 %1 项</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>ranks %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>Ranks %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>epoch %1</translation>
    </message>
    <message>
        <source>epochs %1</source>
        <translation>epoch %1</translation>
    </message>
</context>
<context>
    <name>proof</name>
    <message>
        <source>Epoch %1</source>
        <translation>epoch %1</translation>
    </message>
    <message>
        <source>Epochs %1</source>
        <translation>epoch %1</translation>
    </message>
    <message>
        <source>Epoch %1 on rank %2</source>
        <translation>rank %2 上的 epoch %1</translation>
    </message>
    <message>
        <source>Epoch %1 on ranks %2</source>
        <translation>rank %2 上的 epoch %1</translation>
    </message>
    <message>
        <source>Epochs %1 on rank %2</source>
        <translation>rank %2 上的 epoch %1</translation>
    </message>
    <message>
        <source>Epochs %1 on ranks %2</source>
        <translation>rank %2 上的 epoch %1</translation>
    </message>
    <message>
        <source>%1 earlier</source>
        <translation>早 %1</translation>
    </message>
    <message>
        <source>%1 later</source>
        <translation>晚 %1</translation>
    </message>
    <message>
        <source>The only planned batch was not reported: %1.</source>
        <translation>唯一计划的 batch 没有报告：%1。</translation>
    </message>
    <message>
        <source>1 of %1 planned batches was not reported: %2.</source>
        <translation>计划的 %1 个 batch 中有 1 个没有报告：%2。</translation>
    </message>
    <message>
        <source>%1 of %2 planned batches were not reported: %3.</source>
        <translation>计划的 %2 个 batch 中有 %1 个没有报告：%3。</translation>
    </message>
    <message>
        <source>the job&apos;s command does not report batches</source>
        <translation>作业的命令不报告 batch</translation>
    </message>
    <message>
        <source>rank %1 was not measured</source>
        <translation>rank %1 未被测量</translation>
    </message>
    <message>
        <source>ranks %1 were not measured</source>
        <translation>rank %1 未被测量</translation>
    </message>
    <message>
        <source>the run began at epoch %1</source>
        <translation>运行从 epoch %1 开始</translation>
    </message>
    <message>
        <source>the run ended before its plan did</source>
        <translation>运行在计划结束之前就结束了</translation>
    </message>
    <message>
        <source>the recording ends before them, and it is not known whether the run continued</source>
        <translation>运行记录在它们之前结束，无法得知运行是否继续</translation>
    </message>
    <message>
        <source>the run is still in progress</source>
        <translation>运行仍在进行</translation>
    </message>
    <message>
        <source>, and records were lost</source>
        <translation>，并且有记录丢失</translation>
    </message>
    <message>
        <source>The record of the only planned batch was lost.</source>
        <translation>唯一计划的 batch 的记录丢失了。</translation>
    </message>
    <message>
        <source>The record of 1 of %1 planned batches was lost.</source>
        <translation>计划的 %1 个 batch 中有 1 个的记录丢失了。</translation>
    </message>
    <message>
        <source>The records of %1 of %2 planned batches were lost.</source>
        <translation>计划的 %2 个 batch 中有 %1 个的记录丢失了。</translation>
    </message>
    <message>
        <source>The ranks ran ShardLens&apos;s stand-in program, which takes its batches from the plan: this proves the launch, the order and the delivery, but nothing about your script.</source>
        <translation>各 rank 运行的是 ShardLens 的替身程序，它从计划中取 batch：这证明了启动、顺序和交付，但无法说明你的脚本。</translation>
    </message>
    <message>
        <source>The run has a world of %1, the plan of %2.</source>
        <translation>运行的 world 为 %1，计划为 %2。</translation>
    </message>
    <message>
        <source>Records of rank %1 are missing: the numbers of its operations have a gap.</source>
        <translation>rank %1 的记录缺失：其操作的编号有间断。</translation>
    </message>
    <message>
        <source>Rank %1 reported no batch and was not measured.</source>
        <translation>rank %1 没有报告任何 batch，也未被测量。</translation>
    </message>
    <message>
        <source>Ranks %1 reported no batch and were not measured.</source>
        <translation>rank %1 没有报告任何 batch，也未被测量。</translation>
    </message>
    <message>
        <source>Rank %1, epoch %2, step %3 %4.</source>
        <translation>rank %1，epoch %2，step %3：%4。</translation>
    </message>
    <message>
        <source>is not in the plan</source>
        <translation>不在计划中</translation>
    </message>
    <message>
        <source>has other samples than planned (%1 instead of %2)</source>
        <translation>样本与计划不同（得到 %1，应为 %2）</translation>
    </message>
    <message>
        <source>was reported with %1, the plan has %2</source>
        <translation>报告有 %1，计划为 %2</translation>
    </message>
    <message>
        <source>was repeated, or came after a later one</source>
        <translation>重复出现，或出现在更靠后的 batch 之后</translation>
    </message>
    <message>
        <source>was skipped</source>
        <translation>被跳过</translation>
    </message>
    <message>
        <source>was never consumed, although the job ended without an error</source>
        <translation>从未被读取，尽管作业正常结束</translation>
    </message>
    <message>
        <source>was never consumed: the run had a world of %1</source>
        <translation>从未被读取：运行的 world 为 %1</translation>
    </message>
    <message>
        <source>%1 got the order of epoch %2. The order stays until set_epoch is called with another number.</source>
        <translation>%1 得到了 epoch %2 的顺序。以另一个数调用 set_epoch 之前，顺序保持不变。</translation>
    </message>
    <message>
        <source>%1 got the order of epoch %2.</source>
        <translation>%1 得到了 epoch %2 的顺序。</translation>
    </message>
    <message>
        <source>%1 got the orders of %2.</source>
        <translation>%1 得到了%2的顺序。</translation>
    </message>
    <message>
        <source>%1 got the orders of other epochs: %2.</source>
        <translation>%1 得到了其他 epoch 的顺序：%2。</translation>
    </message>
    <message>
        <source>Rank %1 read the share of rank %2</source>
        <translation>rank %1 读取了 rank %2 的份额</translation>
    </message>
    <message>
        <source>Ranks %1 read the share of rank %2</source>
        <translation>rank %1 读取了 rank %2 的份额</translation>
    </message>
    <message>
        <source>%1: every rank acted as rank %2.</source>
        <translation>%1：每个 rank 都以 rank %2 的身份运行。</translation>
    </message>
    <message>
        <source>%1: all ranks drew with the seed of rank %2.</source>
        <translation>%1：所有 rank 都用 rank %2 的种子抽取。</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>rank %1 read the share of rank %2</source>
        <translation>rank %1 读取了 rank %2 的份额</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>%1, and so on.</source>
        <translation>%1，等等。</translation>
    </message>
    <message>
        <source>In epoch %1, rank %2 read the share that rank %3 has in epoch %4.</source>
        <translation>在 epoch %1 中，rank %2 读取了 rank %3 在 epoch %4 的份额。</translation>
    </message>
    <message>
        <source>Rank %1 is %2 ahead of the plan in epoch %3.</source>
        <translation>rank %1 在 epoch %3 中比计划超前 %2。</translation>
    </message>
    <message>
        <source>Rank %1 is %2 behind the plan in epoch %3.</source>
        <translation>rank %1 在 epoch %3 中比计划落后 %2。</translation>
    </message>
    <message>
        <source>All compared batches match the plan with %1.</source>
        <translation>以 %1 比较时，所有 batch 都与计划一致。</translation>
    </message>
    <message>
        <source>Each epoch got the order of %1: set_epoch was called with another number, or the job has %2.</source>
        <translation>每个 epoch 得到的是%1的顺序：调用 set_epoch 时用了另一个数，或作业的 %2。</translation>
    </message>
    <message>
        <source>%1 %2 instead of %3</source>
        <translation>%1 %2（而不是 %3）</translation>
    </message>
    <message>
        <source>Every planned batch was read and matches the plan</source>
        <translation>每个计划的 batch 都已读取，且与计划一致</translation>
    </message>
    <message>
        <source>The job did not read what its spec plans</source>
        <translation>作业读取的与其规格的计划不一致</translation>
    </message>
    <message>
        <source>Not every planned batch could be compared</source>
        <translation>并非每个计划的 batch 都能比较</translation>
    </message>
    <message>
        <source>has the planned samples in another order</source>
        <translation>样本与计划相同，但顺序不同</translation>
    </message>
    <message>
        <source>In epoch %1, rank %2 read its planned samples in another order.</source>
        <translation>在 epoch %1 中，rank %2 读取了计划中的样本，但顺序不同。</translation>
    </message>
    <message>
        <source>the sampler of rank %1 yields no whole numbers</source>
        <translation>rank %1 的采样器产生的不是整数</translation>
    </message>
    <message>
        <source>what the probe of rank %1 wrote is damaged</source>
        <translation>rank %1 的探针写出的内容已损坏</translation>
    </message>
    <message>
        <source>rank %1 drew batches that are not recorded</source>
        <translation>rank %1 抽取了没有记录的 batch</translation>
    </message>
    <message>
        <source>the file of rank %1 reached its limit, and what it read later is not recorded</source>
        <translation>rank %1 的文件达到了上限，其后读取的内容没有记录</translation>
    </message>
    <message>
        <source>rank %1 did not say that it ended: it was killed, it is still running, or it ended without Python&apos;s exit handlers</source>
        <translation>rank %1 没有说明自己已结束：它被杀死、仍在运行，或结束时没有执行 Python 的退出处理函数</translation>
    </message>
    <message>
        <source>the dataset of rank %1 is iterable, so its loader has no indices</source>
        <translation>rank %1 的数据集是可迭代的，因此其加载器没有索引</translation>
    </message>
    <message>
        <source>several processes read this loader, and neither torch.distributed nor a launcher says which rank each of them is</source>
        <translation>有多个进程读取此加载器，而 torch.distributed 和启动器都没有说明每个进程是哪个 rank</translation>
    </message>
    <message>
        <source>rank 0 reads this loader for all ranks, and the parts that it sent are not recorded</source>
        <translation>rank 0 为所有 rank 读取此加载器，没有记录每个 rank 收到了什么</translation>
    </message>
    <message>
        <source>the recording holds no batch of this loader</source>
        <translation>记录中没有此加载器的 batch</translation>
    </message>
    <message>
        <source>Not compared: 1 further pass over epochs that the job reads, such as a look at the first batch or an evaluation.</source>
        <translation>未比较：对作业所读 epoch 的另外 1 遍，例如查看第一个 batch 或一次评估。</translation>
    </message>
    <message>
        <source>Not compared: %1 further passes over epochs that the job reads, such as a look at the first batch or an evaluation.</source>
        <translation>未比较：对作业所读 epoch 的另外 %1 遍，例如查看第一个 batch 或一次评估。</translation>
    </message>
    <message>
        <source>%1 batches, all as planned.</source>
        <translation>%1 个 batch，全部与计划一致。</translation>
    </message>
    <message>
        <source>The job&apos;s loader is not the designed one: %1.</source>
        <translation>作业的加载器与设计的不同：%1。</translation>
    </message>
    <message>
        <source>The run used another spec; it differs in %1.</source>
        <translation>运行使用了另一份配置；不同之处在 %1。</translation>
    </message>
    <message>
        <source>the recording does not show that rank %1 read this loader</source>
        <translation>记录没有表明 rank %1 读取了此加载器</translation>
    </message>
    <message>
        <source>the recording does not show that ranks %1 read this loader</source>
        <translation>记录没有表明 rank %1 读取了此加载器</translation>
    </message>
    <message>
        <source>the ranks of this loader were started more than once, and only one start is compared</source>
        <translation>此加载器的各 rank 被多次启动，只比较其中一次启动</translation>
    </message>
    <message>
        <source>Records of rank %1 were lost: its ring was full or cut short, the recorder&apos;s disk was too slow, or its threads got in each other&apos;s way.</source>
        <translation>rank %1 的记录丢失了：它的环形缓冲区已满或被截短、记录程序的磁盘太慢，或它的线程互相阻塞。</translation>
    </message>
</context>
<context>
    <name>record</name>
    <message>
        <source>The recording ends before the job began.</source>
        <translation>运行记录在作业开始之前就结束了。</translation>
    </message>
    <message>
        <source>The recording cannot be followed: %1</source>
        <translation>无法跟踪运行记录：%1</translation>
    </message>
    <message>
        <source>The recording cannot be read: %1.</source>
        <translation>无法读取运行记录：%1。</translation>
    </message>
    <message>
        <source>This is not a ShardLens recording.</source>
        <translation>这不是 ShardLens 的运行记录。</translation>
    </message>
    <message>
        <source>give the folder that shardlens run wrote, or a file that shardlens replay --pack made of it</source>
        <translation>请提供 shardlens run 写入的文件夹，或由 shardlens replay --pack 生成的文件</translation>
    </message>
    <message>
        <source>This folder is not a recording: it holds no segment (*.slseg).</source>
        <translation>此文件夹不是运行记录：其中没有 segment（*.slseg）。</translation>
    </message>
    <message>
        <source>give the folder that shardlens run wrote</source>
        <translation>请提供 shardlens run 写入的文件夹</translation>
    </message>
    <message>
        <source>This is neither a file nor a folder: it cannot be a recording.</source>
        <translation>这既不是文件也不是文件夹：不可能是运行记录。</translation>
    </message>
    <message>
        <source>The recording has format %1; this program reads format %2.</source>
        <translation>运行记录的格式为 %1；此程序读取格式 %2。</translation>
    </message>
    <message>
        <source>read it with the version that recorded it, or record the run again</source>
        <translation>请用记录它的版本读取，或重新记录</translation>
    </message>
    <message>
        <source>read it with a newer version</source>
        <translation>请用更新的版本读取</translation>
    </message>
    <message>
        <source>The recording cannot be packed: %1.</source>
        <translation>无法打包运行记录：%1。</translation>
    </message>
    <message>
        <source>The recording cannot be packed: the file could not be written to its end.</source>
        <translation>无法打包运行记录：文件没有写完。</translation>
    </message>
    <message>
        <source>free some disk space, or choose another place</source>
        <translation>请释放一些磁盘空间，或选择其他位置</translation>
    </message>
    <message>
        <source>In this file, the list of what probes wrote is damaged: the record of what the job&apos;s loaders read is lost.</source>
        <translation>此文件中探针所写文件的列表已损坏：作业的加载器读取了什么已丢失。</translation>
    </message>
    <message>
        <source>pack the folder again</source>
        <translation>请重新打包该文件夹</translation>
    </message>
    <message>
        <source>This recording is already a single file.</source>
        <translation>此运行记录已经是单个文件。</translation>
    </message>
    <message>
        <source>copy it</source>
        <translation>请直接复制它</translation>
    </message>
    <message>
        <source>1 byte in %1 is damaged; its content was not read.</source>
        <translation>%1有 1 字节损坏；未读取其内容。</translation>
    </message>
    <message>
        <source>%1 in %2 are damaged; their content was not read.</source>
        <translation>%2有 %1损坏；未读取其内容。</translation>
    </message>
    <message>
        <source>1 message of a type that this version does not know was skipped: a newer version wrote this recording.</source>
        <translation>跳过了 1 条此版本不认识的消息：此运行记录由更新的版本写入。</translation>
    </message>
    <message>
        <source>%1 of a type that this version does not know were skipped: a newer version wrote this recording.</source>
        <translation>跳过了 %1此版本不认识的消息：此运行记录由更新的版本写入。</translation>
    </message>
    <message>
        <source>The recording has no end.</source>
        <translation>运行记录没有结尾。</translation>
    </message>
    <message>
        <source>The recording is cut off in the middle of a frame; its last byte was not read.</source>
        <translation>运行记录在一个帧的中间被截断；未读取其最后 1 字节。</translation>
    </message>
    <message>
        <source>The recording is cut off in the middle of a frame; its last %1 were not read.</source>
        <translation>运行记录在一个帧的中间被截断；未读取其最后 %1。</translation>
    </message>
    <message>
        <source>This host cannot check whether the recorder on host %1 is still running; it wrote within the last %2.</source>
        <translation>无法从此主机得知主机 %1 上的记录程序是否仍在运行；它在最近 %2内写入过。</translation>
    </message>
    <message>
        <source>This host cannot check whether the recorder on host %1 is still running; it has written nothing in the last %2.</source>
        <translation>无法从此主机得知主机 %1 上的记录程序是否仍在运行；它在最近 %2内没有写入。</translation>
    </message>
    <message>
        <source>The offset between the clocks of %1 and %2 was not measured: the order of their events follows the wall clocks and is uncertain.</source>
        <translation>没有测量 %1 与 %2 之间的时钟偏差：它们的事件顺序按系统时钟排列，并不确定。</translation>
    </message>
    <message>
        <source>%1 belongs to another job and was left out.</source>
        <translation>%1 属于另一个作业，已略过。</translation>
    </message>
    <message>
        <source>%1 is a copy of another segment and was left out.</source>
        <translation>%1 是另一个 segment 的副本，已略过。</translation>
    </message>
    <message>
        <source>The user stopped the job.</source>
        <translation>用户停止了作业。</translation>
    </message>
    <message>
        <source>Passed %1 on to the job.</source>
        <translation>已把 %1 转给作业。</translation>
    </message>
    <message>
        <source>The terminal was closed; the job and its recording continue.</source>
        <translation>终端已关闭；作业及其记录继续进行。</translation>
    </message>
    <message>
        <source>The launcher %1 was stopped by a signal: until it gets SIGCONT, it prints nothing and does not notice when a rank ends.</source>
        <translation>启动器 %1 被信号暂停：在收到 SIGCONT 之前，它不输出任何内容，也不知道 rank 何时结束。</translation>
    </message>
    <message>
        <source>The command %1 was stopped by a signal: until it gets SIGCONT, it prints nothing and does not notice when a rank ends.</source>
        <translation>命令 %1 被信号暂停：在收到 SIGCONT 之前，它不输出任何内容，也不知道 rank 何时结束。</translation>
    </message>
    <message>
        <source>The launcher %1 continues.</source>
        <translation>启动器 %1 继续运行。</translation>
    </message>
    <message>
        <source>The command %1 continues.</source>
        <translation>命令 %1 继续运行。</translation>
    </message>
    <message>
        <source>Some processes of the job could not be killed: look for them with ps.</source>
        <translation>作业的一些进程无法终止：请用 ps 查找。</translation>
    </message>
    <message>
        <source>This rank is not measured: its program was built with another version of ShardLens, and its ring has another format.</source>
        <translation>此 rank 未被测量：它的程序由另一版本的 ShardLens 构建，环形缓冲区的格式不同。</translation>
    </message>
    <message>
        <source>This rank is not measured from here on: its ring was cut short.</source>
        <translation>从此处起不再测量此 rank：它的环形缓冲区被截断。</translation>
    </message>
    <message>
        <source>Further output was not recorded: there is too much of it.</source>
        <translation>其余输出未被记录：输出太多。</translation>
    </message>
    <message>
        <source>This installation has no probe for PyTorch: the command runs, and what its loaders do is not recorded.</source>
        <translation>此安装没有 PyTorch 探针：命令会运行，但不记录其加载器的行为。</translation>
    </message>
    <message>
        <source>1 rank shares %1 cores, so waits include CPU scheduling.</source>
        <translation>1 个 rank 使用 %1 个核心，因此等待时间包含 CPU 调度。</translation>
    </message>
    <message>
        <source>%1 ranks share %2 cores, so waits include CPU scheduling.</source>
        <translation>%1 个 rank 共用 %2 个核心，因此等待时间包含 CPU 调度。</translation>
    </message>
    <message>
        <source>%1 ranks share 1 core, so waits include CPU scheduling.</source>
        <translation>%1 个 rank 共用 1 个核心，因此等待时间包含 CPU 调度。</translation>
    </message>
    <message>
        <source>%1 nodes are emulated on one host: node and local rank come from the spec.</source>
        <translation>在一台主机上模拟 %1 个节点：节点与 local rank 取自配置。</translation>
    </message>
    <message>
        <source>The launcher %1 does not start MPI: %2 runs in place of %3.</source>
        <translation>启动器 %1 不启动 MPI：以 %2 代替 %3 运行。</translation>
    </message>
    <message>
        <source>%1 records of ranks and %2 lines of output were left out of the recording, because the disk was too slow.</source>
        <translation>由于磁盘太慢，记录中缺少 %1 条 rank 记录和 %2 行输出。</translation>
    </message>
    <message>
        <source>%1 records of ranks were left out of the recording, because the disk was too slow.</source>
        <translation>由于磁盘太慢，记录中缺少 %1 条 rank 记录。</translation>
    </message>
    <message>
        <source>%1 lines of output were left out of the recording, because the disk was too slow.</source>
        <translation>由于磁盘太慢，记录中缺少 %1 行输出。</translation>
    </message>
    <message>
        <source>The command %1 ended with code 0, but its rank never reported anything.</source>
        <translation>命令 %1 以代码 0 结束，但它的 rank 从未报告任何内容。</translation>
    </message>
    <message>
        <source>The command %1 ended with code 0, but none of its %2 ranks ever reported anything.</source>
        <translation>命令 %1 以代码 0 结束，但它的 %2 个 rank 从未报告任何内容。</translation>
    </message>
    <message>
        <source>1 process of the job ended without saying how, as after os._exit() or a signal.</source>
        <translation>作业的 1 个进程结束时未说明原因，如同调用 os._exit() 或收到信号之后。</translation>
    </message>
    <message>
        <source>%1 processes of the job ended without saying how, as after os._exit() or a signal.</source>
        <translation>作业的 %1 个进程结束时未说明原因，如同调用 os._exit() 或收到信号之后。</translation>
    </message>
    <message>
        <source>Another process asked the command %1 to end, and it ended the ranks.</source>
        <translation>另一个进程要求命令 %1 结束，它结束了各 rank。</translation>
    </message>
    <message>
        <source>The command %1 was ended by %2, and the ranks ended with it.</source>
        <translation>命令 %1 被 %2 结束，各 rank 随之结束。</translation>
    </message>
    <message>
        <source>The launcher %1 ended with code 0, but its rank never reported anything.</source>
        <translation>启动器 %1 以代码 0 结束，但它的 rank 从未报告任何内容。</translation>
    </message>
    <message>
        <source>The launcher %1 ended with code 0, but none of its %2 ranks ever reported anything.</source>
        <translation>启动器 %1 以代码 0 结束，但它的 %2 个 rank 从未报告任何内容。</translation>
    </message>
    <message>
        <source>Rank %1 ended without saying how, as after os._exit() or a signal.</source>
        <translation>rank %1 结束时未说明原因，如同调用 os._exit() 或收到信号之后。</translation>
    </message>
    <message>
        <source>Ranks %1 ended without saying how, as after os._exit() or a signal.</source>
        <translation>rank %1 结束时未说明原因，如同调用 os._exit() 或收到信号之后。</translation>
    </message>
    <message>
        <source>A process of the job (pid %1) ended with code %2.</source>
        <translation>作业的一个进程（pid %1）以代码 %2 结束。</translation>
    </message>
    <message>
        <source>The command %1 ended with code %2: the last exception in its output is %3</source>
        <translation>命令 %1 以代码 %2 结束：其输出中的最后一个异常是 %3</translation>
    </message>
    <message>
        <source>The command %1 ended with code %2: %3</source>
        <translation>命令 %1 以代码 %2 结束：%3</translation>
    </message>
    <message>
        <source>The command %1 ended with code %2.</source>
        <translation>命令 %1 以代码 %2 结束。</translation>
    </message>
    <message>
        <source>Another process asked the launcher %1 to end, and it ended the ranks.</source>
        <translation>另一个进程要求启动器 %1 结束，它结束了各 rank。</translation>
    </message>
    <message>
        <source>The launcher %1 was ended by %2, and the ranks ended with it.</source>
        <translation>启动器 %1 被 %2 结束，各 rank 随之结束。</translation>
    </message>
    <message>
        <source>Rank %1 ended with code %2: %3</source>
        <translation>rank %1 以代码 %2 结束：%3</translation>
    </message>
    <message>
        <source>Rank %1 ended with code %2.</source>
        <translation>rank %1 以代码 %2 结束。</translation>
    </message>
    <message>
        <source>The launcher %1 ended with code %2: the last exception in its output is %3 (the torchrun of Debian 12 has to be started with -r 1 -t 1)</source>
        <translation>启动器 %1 以代码 %2 结束：其输出中的最后一个异常是 %3（Debian 12 的 torchrun 须以 -r 1 -t 1 启动）</translation>
    </message>
    <message>
        <source>The launcher %1 ended with code %2: the last exception in its output is %3</source>
        <translation>启动器 %1 以代码 %2 结束：其输出中的最后一个异常是 %3</translation>
    </message>
    <message>
        <source>The launcher %1 ended with code %2: %3</source>
        <translation>启动器 %1 以代码 %2 结束：%3</translation>
    </message>
    <message>
        <source>The launcher %1 ended with code %2.</source>
        <translation>启动器 %1 以代码 %2 结束。</translation>
    </message>
    <message>
        <source>This installation has no probe for MPI: the command runs, and what its MPI ranks wait for is not recorded.</source>
        <translation>此安装没有 MPI 探针：命令照常运行，但不会记录其 MPI rank 在等待什么。</translation>
    </message>
    <message>
        <source>The path of the probe for PyTorch has a colon, which PYTHONPATH cannot name: the command runs, and what its loaders do is not recorded.</source>
        <translation>PyTorch 探针的路径含有冒号，PYTHONPATH 无法写出它：命令照常运行，但不会记录其加载器的行为。</translation>
    </message>
    <message>
        <source>The path of the probe for MPI has a blank or a colon, which LD_PRELOAD cannot name: the command runs, and what its MPI ranks wait for is not recorded.</source>
        <translation>MPI 探针的路径含有空格或冒号，LD_PRELOAD 无法写出它：命令照常运行，但不会记录其 MPI rank 在等待什么。</translation>
    </message>
    <message>
        <source>This installation has no probe for NCCL: the command runs, and what its NCCL operations wait for is not recorded.</source>
        <translation>此安装没有 NCCL 探针：命令照常运行，但不会记录其 NCCL 操作在等待什么。</translation>
    </message>
    <message>
        <source>The path of the probe for NCCL is longer than the 254 bytes that NCCL reads: the command runs, and what its NCCL operations wait for is not recorded.</source>
        <translation>NCCL 探针的路径超过 NCCL 读取的 254 字节：命令照常运行，但不会记录其 NCCL 操作在等待什么。</translation>
    </message>
    <message>
        <source>NCCL_PROFILER_PLUGIN names %1 and is left as it is: what the job&apos;s NCCL operations wait for is not recorded.</source>
        <translation>NCCL_PROFILER_PLUGIN 指定了 %1，保持不变：不会记录作业的 NCCL 操作在等待什么。</translation>
    </message>
    <message>
        <source>The processes are not one world of %1 ranks: the first reports a world of 1 rank. Only that world is shown and recorded.</source>
        <translation>这些进程不是一个有 %1 个 rank 的 world：第一个进程报告的 world 只有 1 个 rank。只显示和记录该 world。</translation>
    </message>
    <message>
        <source>The processes are not one world of 1 rank: the first reports a world of %1 ranks. Only that world is shown and recorded.</source>
        <translation>这些进程不是一个只有 1 个 rank 的 world：第一个进程报告的 world 有 %1 个 rank。只显示和记录该 world。</translation>
    </message>
    <message>
        <source>The processes are not one world of %1 ranks: the first reports a world of %2 ranks. Only that world is shown and recorded.</source>
        <translation>这些进程不是一个有 %1 个 rank 的 world：第一个进程报告的 world 有 %2 个 rank。只显示和记录该 world。</translation>
    </message>
    <message>
        <source>The processes are not one world of %1 ranks: the first says that its world has 1 rank. Only its world is shown and recorded.</source>
        <translation>这些进程不是一个有 %1 个 rank 的 world：第一个进程说它的 world 只有 1 个 rank。只显示和记录它的 world。</translation>
    </message>
    <message>
        <source>The processes are not one world of 1 rank: the first says that its world has %1 ranks. Only its world is shown and recorded.</source>
        <translation>这些进程不是一个只有 1 个 rank 的 world：第一个进程说它的 world 有 %1 个 rank。只显示和记录它的 world。</translation>
    </message>
    <message>
        <source>The processes are not one world of %1 ranks: the first says that its world has %2 ranks. Only its world is shown and recorded.</source>
        <translation>这些进程不是一个有 %1 个 rank 的 world：第一个进程说它的 world 有 %2 个 rank。只显示和记录它的 world。</translation>
    </message>
    <message>
        <source>The recorder on %1 was ended early: it is not known what its ranks did after that.</source>
        <translation>%1 上的记录程序提前终止：此后该主机上各 rank 的行为未知。</translation>
    </message>
    <message>
        <source>ShardLens got %1, which asks it to end, and stopped the job.</source>
        <translation>ShardLens 收到 %1，这是要求它退出的信号，于是停止了作业。</translation>
    </message>
    <message>
        <source>The command started ranks again. Steps and waits are recorded only for the first start, what loaders read for every start.</source>
        <translation>命令再次启动了 rank。step 和等待只记录第一次启动的，加载器读取的内容则记录每一次启动的。</translation>
    </message>
    <message>
        <source>The command started ranks again. Steps and waits are recorded of the first start alone, what loaders read of every start.</source>
        <translation>命令再次启动了 rank。step 和等待只记录第一次启动的，加载器读取的内容则记录每一次启动的。</translation>
    </message>
    <message>
        <source>The command %1 was ended by %2.</source>
        <translation>命令 %1 被 %2 终止。</translation>
    </message>
</context>
<context>
    <name>resume</name>
    <message>
        <source>%1, all trained before</source>
        <translation>%1，均已训练过</translation>
    </message>
    <message>
        <source>%1, %2 of them never trained</source>
        <translation>%1，其中 %2 个从未训练</translation>
    </message>
    <message>
        <source>%1, %2 of %3</source>
        <translation>%1，占%3的 %2</translation>
    </message>
    <message>
        <source>%1 of %2 trained, %3</source>
        <translation>已训练 %1 / %2，%3</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>完全一致</translation>
    </message>
    <message>
        <source>repeats or loses samples</source>
        <translation>会重复或丢失样本</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>repeat or lose samples</source>
        <translation>会重复或丢失样本</translation>
    </message>
    <message>
        <source>cannot continue</source>
        <translation>无法继续</translation>
    </message>
    <message>
        <source>without an answer</source>
        <translation>没有结论</translation>
    </message>
    <message>
        <source>%1 of other frameworks: %2</source>
        <translation>其他框架的 %1：%2</translation>
    </message>
    <message>
        <source>remaining</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>repeated</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>what was trained</source>
        <translation>已训练部分</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>丢失</translation>
    </message>
    <message>
        <source>the rest</source>
        <translation>剩余部分</translation>
    </message>
    <message>
        <source>added</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 等，另有 %2 个</translation>
    </message>
    <message>
        <source>trained</source>
        <translation>已训练</translation>
    </message>
    <message>
        <source>after the stop</source>
        <translation>中断之后</translation>
    </message>
    <message>
        <source>exact: nothing repeated, nothing lost</source>
        <translation>完全一致：不重复、不丢失</translation>
    </message>
    <message>
        <source>%1 repeated</source>
        <translation>重复 %1</translation>
    </message>
    <message>
        <source>%1 lost</source>
        <translation>丢失 %1</translation>
    </message>
    <message>
        <source>%1 more often than planned</source>
        <translation>比计划多 %1</translation>
    </message>
    <message>
        <source>%1 added</source>
        <translation>新增 %1</translation>
    </message>
    <message>
        <source>the epoch was over after %1</source>
        <translation>该 epoch 在 %1 之后已经结束</translation>
    </message>
    <message>
        <source>raises %1</source>
        <translation>抛出 %1</translation>
    </message>
    <message>
        <source>not modelled</source>
        <translation>未建模</translation>
    </message>
    <message>
        <source>too much for this machine</source>
        <translation>对本机来说过大</translation>
    </message>
    <message>
        <source>With this method the epoch has %1: stop earlier to see what this method does.</source>
        <translation>使用此方式时，该 epoch 有 %1：请在更早处中断，以查看此方式的行为。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Its epoch has %1: it ends before the stop.</source>
        <translation>它的 epoch 有 %1：在中断之前就已结束。</translation>
    </message>
    <message>
        <source>stop earlier</source>
        <translation>请在更早处中断</translation>
    </message>
    <message>
        <source>the restart cannot use this world: %1</source>
        <translation>重新启动时不能使用此 world：%1</translation>
    </message>
    <message>
        <source>there is no epoch %1</source>
        <translation>没有 epoch %1</translation>
    </message>
    <message>
        <source>the spec has epochs 0 to %1</source>
        <translation>spec 的 epoch 为 0 至 %1</translation>
    </message>
    <message>
        <source>epoch %1 has no step %2 to stop at</source>
        <translation>epoch %1 没有可供中断的 step %2</translation>
    </message>
    <message>
        <source>it has %1: stop after 0 to %2</source>
        <translation>它有 %1：请在 0 至 %2 个 step 之后中断</translation>
    </message>
    <message>
        <source>set_epoch(%1), then %2</source>
        <translation>set_epoch(%1)，然后 %2</translation>
    </message>
    <message>
        <source>It iterates over the epochs before %1, then %2</source>
        <translation>它先遍历 epoch %1 之前的各个 epoch，然后 %2</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>The original loader counts its epochs itself: without set_epoch the next epoch has this one&apos;s order again (accelerate PR 4233).</source>
        <translation>原来的加载器自己计数 epoch：不调用 set_epoch 时，下一个 epoch 又是这个 epoch 的顺序（accelerate PR 4233）。</translation>
    </message>
    <message>
        <source>Accelerate: count the batches of all ranks</source>
        <translation>Accelerate：按所有 rank 的 batch 计数</translation>
    </message>
    <message>
        <source>Accelerate: restarted without the epoch</source>
        <translation>Accelerate：不带 epoch 重新启动</translation>
    </message>
    <message>
        <source>Without set_epoch, and in Accelerate 1.7 to 1.14 even with it, the new loader counts from 0: %1 skips in the order of epoch 0.</source>
        <translation>不调用 set_epoch 时（在 Accelerate 1.7 至 1.14 中即使调用也一样），新的加载器从 0 开始计数：%1 按 epoch 0 的顺序跳过。</translation>
    </message>
    <message>
        <source>The generator is seeded again, so the new loader starts with its first order: %1 skips in the order of epoch 0.</source>
        <translation>生成器会重新设置种子，因此新的加载器从它的第一个顺序开始：%1 按 epoch 0 的顺序跳过。</translation>
    </message>
    <message>
        <source>The skipped samples belong to another permutation (accelerate#2016, PR 4071).</source>
        <translation>跳过的样本属于另一个排列（accelerate#2016，PR 4071）。</translation>
    </message>
    <message>
        <source>Each worker of each rank continues after the last sample of its own shards.</source>
        <translation>每个 rank 的每个 worker 从自己 shard 的最后一个样本之后继续。</translation>
    </message>
    <message>
        <source>Its state is meaningless for another number of ranks: each rank has other shards.</source>
        <translation>它的状态对另一个 rank 数没有意义：每个 rank 的 shard 都不同。</translation>
    </message>
    <message>
        <source>resume on the same number of ranks and workers</source>
        <translation>请在相同数量的 rank 和 worker 上续训</translation>
    </message>
    <message>
        <source>The shuffle buffer is not saved: it is refilled from the current place, and its content is lost: up to buffer_size samples on each worker.</source>
        <translation>shuffle buffer 不会保存：它从当前位置重新填充，原有内容会丢失：每个 worker 最多 buffer_size 个样本。</translation>
    </message>
    <message>
        <source>save checkpoints at the end of an epoch</source>
        <translation>请在 epoch 结束时保存检查点</translation>
    </message>
    <message>
        <source>The state of the loader is not saved, and set_epoch is never called: the only order starts again.</source>
        <translation>不保存加载器的任何内容，也从不调用 set_epoch：唯一的顺序从头开始。</translation>
    </message>
    <message>
        <source>The iteration count continues, but the stream of samples starts again from its seed.</source>
        <translation>迭代计数会延续，但样本流从种子重新开始。</translation>
    </message>
    <message>
        <source>Up to 0.6, a config without SEED draws another stream at each start, which cannot be predicted; later releases read the same stream in every run.</source>
        <translation>直到 0.6 版，没有 SEED 的配置每次启动都会抽取另一条流，无法预测；之后的版本在每次运行中读取相同的流。</translation>
    </message>
    <message>
        <source>Each rank skips the first step of its new list of batches.</source>
        <translation>每个 rank 跳过其新 batch 列表的第一个 step。</translation>
    </message>
    <message>
        <source>Each rank skips the first %1 of its new list of batches.</source>
        <translation>每个 rank 跳过其新 batch 列表的前 %1。</translation>
    </message>
    <message>
        <source>The epoch is complete: the checkpoint continues with the start of the next one.</source>
        <translation>该 epoch 已完成：检查点从下一个 epoch 的开头继续。</translation>
    </message>
    <message>
        <source>Each process continues after the last record in its state.</source>
        <translation>每个进程从其状态中的最后一条记录之后继续。</translation>
    </message>
    <message>
        <source>set_state() refuses it with a ValueError: the state belongs to a sampler with another shard count.</source>
        <translation>set_state() 会以 ValueError 拒绝：该状态属于 shard 数不同的采样器。</translation>
    </message>
    <message>
        <source>resume on the same number of processes, or use Grain&apos;s ElasticIterator</source>
        <translation>请在相同数量的进程上续训，或使用 Grain 的 ElasticIterator</translation>
    </message>
    <message>
        <source>The loader and the batch counter start at the beginning.</source>
        <translation>加载器和 batch 计数都从头开始。</translation>
    </message>
    <message>
        <source>The batch counter is beyond the end of the shorter epoch, so the epoch starts again.</source>
        <translation>batch 计数已超过较短的 epoch 的末尾，因此该 epoch 重新开始。</translation>
    </message>
    <message>
        <source>The loader starts again while the batch counter continues: the epoch ends %1 early, and its last batches are never read.</source>
        <translation>加载器重新开始，而 batch 计数延续：该 epoch 提前 %1 结束，其最后几个 batch 从不读取。</translation>
    </message>
    <message>
        <source>The checkpoint holds no random states: seeded as at the start, it reads epoch 0&apos;s order.</source>
        <translation>检查点不含随机状态：种子与启动时相同，因此读取 epoch 0 的顺序。</translation>
    </message>
    <message>
        <source>Since 2.1, a loader with workers draws its order before set_epoch(%1) is called: it reads epoch 0&apos;s (lightning#21938).</source>
        <translation>自 2.1 起，带有 worker 的加载器在调用 set_epoch(%1) 之前就抽取顺序：它读取的是 epoch 0 的顺序（lightning#21938）。</translation>
    </message>
    <message>
        <source>The epoch&apos;s last batch is marked as done: the next epoch starts.</source>
        <translation>该 epoch 的最后一个 batch 被标记为完成：下一个 epoch 开始。</translation>
    </message>
    <message>
        <source>Save checkpoints at the end of an epoch, or use a StatefulDataLoader, which is exact since 2.2 on the same number of ranks.</source>
        <translation>请在 epoch 结束时保存检查点，或使用 StatefulDataLoader：自 2.2 起，它在相同数量的 rank 上完全一致。</translation>
    </message>
    <message>
        <source>The sampler is created with consumed_samples=%1, whatever the number of ranks.</source>
        <translation>无论有多少个 rank，都以 consumed_samples=%1 创建采样器。</translation>
    </message>
    <message>
        <source>The sampler is created with consumed_samples, whatever the number of ranks.</source>
        <translation>无论有多少个 rank，都以 consumed_samples 创建采样器。</translation>
    </message>
    <message>
        <source>The next pass over the dataset starts there.</source>
        <translation>对数据集的下一次遍历从那里开始。</translation>
    </message>
    <message>
        <source>Megatron-LM: full validation</source>
        <translation>Megatron-LM：完整验证</translation>
    </message>
    <message>
        <source>A full validation is never resumed: it starts again.</source>
        <translation>完整验证从不续训：它重新开始。</translation>
    </message>
    <message>
        <source>It reads the interrupted epoch from its beginning, in that epoch&apos;s order.</source>
        <translation>它从头读取被中断的 epoch，并使用该 epoch 的顺序。</translation>
    </message>
    <message>
        <source>The iteration count is ahead by the repeated part.</source>
        <translation>迭代计数超前了重复的部分。</translation>
    </message>
    <message>
        <source>mmengine 0.10.3 and later: IterBasedTrainLoop</source>
        <translation>mmengine 0.10.3 及之后：IterBasedTrainLoop</translation>
    </message>
    <message>
        <source>It loads and discards the batches that it had trained on, and trains on the next ones.</source>
        <translation>它读取并丢弃已训练过的 batch，然后用接下来的 batch 训练。</translation>
    </message>
    <message>
        <source>mmengine before 0.10.3: IterBasedTrainLoop</source>
        <translation>mmengine 0.10.3 之前：IterBasedTrainLoop</translation>
    </message>
    <message>
        <source>The iteration count continues, but the stream of samples starts again (mmengine PR 1471).</source>
        <translation>迭代计数会延续，但样本流重新开始（mmengine PR 1471）。</translation>
    </message>
    <message>
        <source>set_epoch(%1), then each rank skips %2</source>
        <translation>set_epoch(%1)，然后每个 rank 跳过%2</translation>
    </message>
    <message>
        <source>It draws the earlier epochs again, then each rank skips %1</source>
        <translation>它重新抽取之前的各个 epoch，然后每个 rank 跳过%1</translation>
    </message>
    <message>
        <source>Each rank skips %1</source>
        <translation>每个 rank 跳过%1</translation>
    </message>
    <message>
        <source>Script that skips its batches</source>
        <translation>跳过其 batch 的脚本</translation>
    </message>
    <message>
        <source>its first step.</source>
        <translation>第一个 step。</translation>
    </message>
    <message>
        <source>no step.</source>
        <translation>任何 step。</translation>
    </message>
    <message>
        <source>its first %1.</source>
        <translation>前 %1。</translation>
    </message>
    <message>
        <source>A step has a different number of samples on a different number of ranks: count samples, not steps.</source>
        <translation>rank 数不同时，一个 step 的样本数也不同：请按样本计数，而不是按 step 计数。</translation>
    </message>
    <message>
        <source>Script that counts the batches of all ranks</source>
        <translation>按所有 rank 的 batch 计数的脚本</translation>
    </message>
    <message>
        <source>Script that starts the epoch again</source>
        <translation>重新开始该 epoch 的脚本</translation>
    </message>
    <message>
        <source>The checkpoint holds the epoch but no step: the epoch is read from its beginning.</source>
        <translation>检查点记录了 epoch，但没有记录 step：该 epoch 从头读取。</translation>
    </message>
    <message>
        <source>Script that forgets set_epoch</source>
        <translation>忘记 set_epoch 的脚本</translation>
    </message>
    <message>
        <source>Script that seeds again</source>
        <translation>重新设置种子的脚本</translation>
    </message>
    <message>
        <source>set_epoch is not called, so the steps are skipped in the order of epoch 0.</source>
        <translation>没有调用 set_epoch，因此按 epoch 0 的顺序跳过这些 step。</translation>
    </message>
    <message>
        <source>The generator starts again from the script&apos;s seed, so the steps are skipped in the order of epoch 0.</source>
        <translation>生成器从脚本的种子重新开始，因此按 epoch 0 的顺序跳过这些 step。</translation>
    </message>
    <message>
        <source>It trains in the order of epoch 0 again, in this epoch and in every later one.</source>
        <translation>它在此 epoch 以及之后的每个 epoch 中，都再次按 epoch 0 的顺序训练。</translation>
    </message>
    <message>
        <source>Script that restores torch&apos;s RNG state</source>
        <translation>恢复 torch RNG 状态的脚本</translation>
    </message>
    <message>
        <source>A state saved within the epoch comes after that epoch&apos;s draws: the loader draws the next epoch&apos;s order and skips its first steps.</source>
        <translation>在 epoch 内保存的状态位于其抽取之后：加载器会抽取下一个 epoch 的顺序，并跳过该顺序的前几个 step。</translation>
    </message>
    <message>
        <source>It skips by one order and trains by another; save the state before the epoch.</source>
        <translation>它按一个顺序跳过，又按另一个顺序训练；请在 epoch 之前保存状态。</translation>
    </message>
    <message>
        <source>The new loader draws a base_seed that the old one with persistent workers would not draw: ShardLens does not compute what follows.</source>
        <translation>新的加载器会抽取一个 base_seed，而带有 persistent workers 的旧加载器不会抽取：ShardLens 不计算其后的结果。</translation>
    </message>
    <message>
        <source>save the epoch and the step instead, and skip to them</source>
        <translation>请改为保存 epoch 和 step，并跳到该处</translation>
    </message>
    <message>
        <source>The epoch is rebuilt from its seed for the new ranks, without the samples already seen.</source>
        <translation>该 epoch 用其种子为新的 rank 重建，不含已读取的样本。</translation>
    </message>
    <message>
        <source>The epoch is rebuilt from its seed for the new ranks.</source>
        <translation>该 epoch 用其种子为新的 rank 重建。</translation>
    </message>
    <message>
        <source>The epoch is rebuilt from its seed for the new ranks, without %1 already seen.</source>
        <translation>该 epoch 用其种子为新的 rank 重建，不含已读取的 %1。</translation>
    </message>
    <message>
        <source>Its batches stay the same only if batch_size times the number of ranks stays the same: here it is %1 before and %2 after.</source>
        <translation>只有 batch_size 与 rank 数的乘积不变时，它的 batch 才保持不变：此处之前为 %1，之后为 %2。</translation>
    </message>
    <message>
        <source>timm: --resume of a recovery checkpoint</source>
        <translation>timm：用 recovery 检查点 --resume</translation>
    </message>
    <message>
        <source>It takes the interrupted epoch as done and starts the next one.</source>
        <translation>它把被中断的 epoch 视为已完成，并开始下一个 epoch。</translation>
    </message>
    <message>
        <source>timm: --resume with --start-epoch %1</source>
        <translation>timm：--resume 并指定 --start-epoch %1</translation>
    </message>
    <message>
        <source>The interrupted epoch starts again, in its own order.</source>
        <translation>被中断的 epoch 重新开始，使用它自己的顺序。</translation>
    </message>
    <message>
        <source>Each rank continues after the samples that its state counts, in the epoch given to set_epoch.</source>
        <translation>每个 rank 在传给 set_epoch 的 epoch 中，从其状态所计数的样本之后继续。</translation>
    </message>
    <message>
        <source>Each rank continues after the samples that its state counts.</source>
        <translation>每个 rank 从其状态所计数的样本之后继续。</translation>
    </message>
    <message>
        <source>Another number of ranks is not supported: the counts are per rank, and nothing checks them.</source>
        <translation>不支持另一个 rank 数：计数按每个 rank 进行，且没有任何检查。</translation>
    </message>
    <message>
        <source>torchdata: load_state_dict without set_epoch</source>
        <translation>torchdata：load_state_dict，不调用 set_epoch</translation>
    </message>
    <message>
        <source>It continues in a different order than it stopped in (pytorch/data#1513).</source>
        <translation>它继续时的顺序与中断时不同（pytorch/data#1513）。</translation>
    </message>
    <message>
        <source>This holds for a dataset with a __len__. Without one, max_steps is a single long epoch: it skips %1 from the beginning, and ends training where the stream ends.</source>
        <translation>这适用于有 __len__ 的数据集。没有时，max_steps 是一个单独的长 epoch：它从头跳过 %1，并在流结束处结束训练。</translation>
    </message>
    <message>
        <source>It divides the steps done by the new loader&apos;s length, and has no epoch left.</source>
        <translation>它用已完成的 step 数除以新加载器的长度，没有剩余的 epoch。</translation>
    </message>
    <message>
        <source>It divides the steps done by the new loader&apos;s length, and starts epoch %1.</source>
        <translation>它用已完成的 step 数除以新加载器的长度，并开始 epoch %1。</translation>
    </message>
    <message>
        <source>It divides the steps done by the new loader&apos;s length, and skips %1 of epoch %2 on each rank.</source>
        <translation>它用已完成的 step 数除以新加载器的长度，并在每个 rank 上跳过 epoch %2 的 %1。</translation>
    </message>
    <message>
        <source>Trainer 4.x with Accelerate 1.7 to 1.14</source>
        <translation>Trainer 4.x 与 Accelerate 1.7 至 1.14</translation>
    </message>
    <message>
        <source>The loader that skips counts its epochs from 0: it skips %1 of epoch 0&apos;s order, and trains on the rest.</source>
        <translation>负责跳过的加载器从 0 开始计数 epoch：它跳过 epoch 0 顺序的 %1，并用其余部分训练。</translation>
    </message>
    <message>
        <source>It continues in a different order than it stopped in (transformers#40690, PR 40691).</source>
        <translation>它继续时的顺序与中断时不同（transformers#40690，PR 40691）。</translation>
    </message>
    <message>
        <source>It skips nothing: epoch %1 starts again.</source>
        <translation>它什么都不跳过：epoch %1 重新开始。</translation>
    </message>
    <message>
        <source>It divides the steps done by the new loader&apos;s length.</source>
        <translation>它用已完成的 step 数除以新加载器的长度。</translation>
    </message>
    <message>
        <source>WebDataset: restarted</source>
        <translation>WebDataset：重新启动</translation>
    </message>
    <message>
        <source>It saves nothing: every rank starts its shards again, in the order of epoch 0.</source>
        <translation>它不保存任何内容：每个 rank 都按 epoch 0 的顺序重新开始自己的 shard。</translation>
    </message>
    <message>
        <source>The object counts its epochs, so a new process always starts at the first one.</source>
        <translation>该对象自己计数 epoch，因此新的进程总是从第一个 epoch 开始。</translation>
    </message>
    <message>
        <source>It refuses more than one rank without a nodesplitter; this shows it with wds.split_by_node.</source>
        <translation>没有 nodesplitter 时，它拒绝一个以上的 rank；此处显示的是使用 wds.split_by_node 的情形。</translation>
    </message>
    <message>
        <source>missed</source>
        <translation>缺少</translation>
    </message>
    <message>
        <source>%1 of the planned readings</source>
        <translation>计划读取中的 %1 次</translation>
    </message>
    <message>
        <source>%1 that the epoch would not have had</source>
        <translation>该 epoch 本不含的 %1</translation>
    </message>
    <message>
        <source>1 planned read never happens</source>
        <translation>计划中有 1 次读取不会发生</translation>
    </message>
    <message>
        <source>%1 planned reads never happen</source>
        <translation>计划中有 %1 次读取不会发生</translation>
    </message>
    <message>
        <source>Rank 0&apos;s loader skips its own batches, and a step takes one of them for each process: skip_first_batches(loader, %1) skips %2, not %3.</source>
        <translation>rank 0 的加载器跳过它自己的 batch，而每个 step 会为每个进程取其中一个：skip_first_batches(loader, %1) 跳过的是 %2，而不是 %3。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 on %2 are %3, with %4 left over.</source>
        <translation>%2 上的 %1 共 %3，余 %4 个。</translation>
    </message>
    <message>
        <source>%1 on %2 are %3.</source>
        <translation>%2 上的 %1 共 %3。</translation>
    </message>
    <message>
        <source>The batches before the stop are not a whole number of steps on the new ranks: those left over are not skipped.</source>
        <translation>停止之前的 batch 在新的 rank 上不是整数个 step：余下的 batch 不会被跳过。</translation>
    </message>
    <message>
        <source>The recorded job, started again</source>
        <translation>重新启动被记录的作业</translation>
    </message>
    <message>
        <source>Its sampler continues as it would after such a stop.</source>
        <translation>由它的采样器决定这样停止之后分发什么。</translation>
    </message>
    <message>
        <source>Not predictable: a recording says what was read, not how the sampler would continue.</source>
        <translation>无法预测：记录说明读取了什么，而不说明采样器会按什么规则继续。</translation>
    </message>
    <message>
        <source>record the job after a restart, or name the sampler&apos;s rule in sampler.type</source>
        <translation>请在重启后再次记录该作业，或在 sampler.type 中写明采样器的规则</translation>
    </message>
    <message>
        <source>The sampler is brought back to epoch %1, then each rank skips %2</source>
        <translation>采样器回到 epoch %1，然后每个 rank 跳过%2</translation>
    </message>
    <message>
        <source>ShardLens does not know what %1 saves and restores by itself: this holds if its sampler is restored to the beginning of the epoch.</source>
        <translation>ShardLens 不知道 %1 自己保存和恢复什么：只有当它的采样器恢复到该 epoch 开始时的状态，以上结论才成立。</translation>
    </message>
    <message>
        <source>nothing of this epoch is repeated or lost</source>
        <translation>此 epoch 无重复、无丢失</translation>
    </message>
    <message>
        <source>Counted against its own epoch, which leaves out %1 of %2.</source>
        <translation>以它自己的 epoch 为准计数，该 epoch 遗漏了 %2中的 %1 个。</translation>
    </message>
    <message>
        <source>It seeds with the number of epoch %1, then %2</source>
        <translation>以 epoch %1 的编号设置种子，然后 %2</translation>
    </message>
    <message>
        <source>The epoch&apos;s last batch is marked as done: no epoch is left.</source>
        <translation>该 epoch 的最后一个 batch 已标记为完成：没有剩余的 epoch。</translation>
    </message>
    <message>
        <source>The inner sampler draws its first pass again, and the wrapper deals it in the order of this epoch: ShardLens does not compute what follows.</source>
        <translation>内部采样器重新抽取其第一遍，包装器再按此 epoch 的顺序分发：ShardLens 不计算其结果。</translation>
    </message>
    <message>
        <source>It seeds with the number of epoch %1, then each rank skips %2</source>
        <translation>以 epoch %1 的编号设置种子，然后每个 rank 跳过 %2</translation>
    </message>
    <message>
        <source>It trains in the order of epoch 0 again, then in that of epoch 1, and so on.</source>
        <translation>它再次按 epoch 0 的顺序训练，然后按 epoch 1 的顺序，依此类推。</translation>
    </message>
    <message>
        <source>The state continues the stream of the interrupted epoch&apos;s seed, after its order was drawn: ShardLens does not compute what follows.</source>
        <translation>该状态沿用中断 epoch 的种子的随机流，位于其顺序之后：ShardLens 不计算其结果。</translation>
    </message>
    <message>
        <source>seed with the epoch&apos;s number instead, and skip to the step</source>
        <translation>请改为以 epoch 编号设置种子，并跳到该步</translation>
    </message>
    <message>
        <source>The state counts a whole epoch: a script that continues with the next one skips that many samples of it, and that epoch ends without a batch. Save the state after the loop has ended, or do not load it there.</source>
        <translation>该状态计入了整个 epoch：继续下一个 epoch 的脚本会在其中跳过同样多的样本，于是它没有任何 batch 就结束。请在循环结束后保存状态，或不要在那里加载它。</translation>
    </message>
    <message>
        <source>The sampler has no state of its own: its first order is drawn again, and skipped into.</source>
        <translation>该采样器没有自己的状态：会重新抽取其第一个顺序，并在其中跳过。</translation>
    </message>
    <message>
        <source>Each rank continues after the samples that its state counts, in the epoch that the state holds.</source>
        <translation>每个 rank 在状态所保存的 epoch 中，从状态所计的样本之后继续。</translation>
    </message>
    <message>
        <source>Up to torchdata 0.11 the state holds no epoch: samples are skipped in the order of epoch 0.</source>
        <translation>直到 torchdata 0.11，状态都不含 epoch：按 epoch 0 的顺序跳过样本。</translation>
    </message>
    <message>
        <source>The state holds no epoch: samples are skipped in the order of epoch 0.</source>
        <translation>状态不含 epoch：按 epoch 0 的顺序跳过样本。</translation>
    </message>
    <message>
        <source>This epoch gets the order of epoch 0 again.</source>
        <translation>这个 epoch 再次得到 epoch 0 的顺序。</translation>
    </message>
    <message>
        <source>A state that torchdata 0.11 saved is refused: ValueError, Invalid state_dict.</source>
        <translation>拒绝由 torchdata 0.11 保存的状态：ValueError，Invalid state_dict。</translation>
    </message>
    <message>
        <source>Accelerate: count the samples of all ranks</source>
        <translation>Accelerate：统计所有 rank 的样本</translation>
    </message>
    <message>
        <source>With data_sharding, a different number of ranks or batch_size permutes different parts of the dataset; turn it off to continue in the same order.</source>
        <translation>启用 data_sharding 时，rank 数或 batch_size 不同就会打乱数据集的不同部分；关闭它即可按相同顺序继续。</translation>
    </message>
    <message>
        <source>Those %1 take a different number of samples now: it continues elsewhere in the stream.</source>
        <translation>那 %1 现在取走的样本数不同：它从流的另一处继续。</translation>
    </message>
    <message>
        <source>A step has a different number of samples after the restart: count samples, not steps.</source>
        <translation>重启后每个 step 的样本数不同：应统计样本，而不是 step。</translation>
    </message>
    <message>
        <source>Script that counts the samples of all ranks</source>
        <translation>统计所有 rank 的样本的脚本</translation>
    </message>
    <message>
        <source>The samples before the stop are not a whole number of steps after it: those left over are not skipped.</source>
        <translation>停止前的样本不是之后 step 的整数倍：余下的样本不会被跳过。</translation>
    </message>
    <message>
        <source>The length of an epoch changed: it considers training finished, and stops.</source>
        <translation>epoch 的长度变了：它认为训练已结束，于是停止。</translation>
    </message>
    <message>
        <source>The length of an epoch changed: it continues in epoch %1 instead of %2.</source>
        <translation>epoch 的长度变了：它从 epoch %1 而不是 %2 继续。</translation>
    </message>
    <message>
        <source>Trainer of 2024 and 2025: resume_from_checkpoint</source>
        <translation>2024 和 2025 年的 Trainer：resume_from_checkpoint</translation>
    </message>
    <message>
        <source>It keeps the checkpoint&apos;s batch_size, %1, whatever it is given. %2</source>
        <translation>无论给出什么，它都沿用检查点中的 batch_size，即 %1。%2</translation>
    </message>
    <message>
        <source>The new batch_size is silently ignored (transformers#43708, PR 43770).</source>
        <translation>新的 batch_size 不起作用，也没有任何提示（transformers#43708、PR 43770）。</translation>
    </message>
    <message>
        <source>The state counts for each worker, and from there the workers cut batches of another size: ShardLens does not compute what follows.</source>
        <translation>状态按每个 worker 计数，各 worker 从那里起切分另一种大小的 batch：ShardLens 不计算之后的情况。</translation>
    </message>
    <message>
        <source>The state counts %1 on each rank, which end inside a batch of %2: ShardLens does not compute what follows.</source>
        <translation>状态在每个 rank 上计了 %1，止于大小为 %2 的 batch 中间：ShardLens 不计算之后的情况。</translation>
    </message>
    <message>
        <source>stop after a number of samples that both batch sizes divide, or keep the batch_size</source>
        <translation>请在两种 batch_size 都能整除的样本数处停止，或保持 batch_size 不变</translation>
    </message>
    <message>
        <source>as many samples as before the stop.</source>
        <translation>与停止前同样多的样本。</translation>
    </message>
    <message>
        <source>It skips nothing: it starts epoch %1 from its beginning.</source>
        <translation>它不跳过任何内容：从头开始 epoch %1。</translation>
    </message>
    <message>
        <source>keep the batch_size</source>
        <translation>请保持 batch_size 不变</translation>
    </message>
    <message>
        <source>It uses another sampler on %1 than on %2: ShardLens does not compute what follows.</source>
        <translation>在 %1 上，它使用的采样器与在 %2 上不同：ShardLens 不计算之后的情况。</translation>
    </message>
    <message>
        <source>restart with as many ranks, or at the end of an epoch</source>
        <translation>请以相同的 rank 数重启，或在 epoch 结束时重启</translation>
    </message>
    <message>
        <source>%1 on %2 is %3.</source>
        <translation>%2 上的 %1 共 %3。</translation>
    </message>
    <message>
        <source>%1 on %2 is %3, with %4 left over.</source>
        <translation>%2 上的 %1 共 %3，余 %4 个。</translation>
    </message>
    <message>
        <source>overfit_batches ends its epoch after %1: ShardLens does not compute what follows.</source>
        <translation>overfit_batches 使其 epoch 在 %1 之后结束：ShardLens 不计算随后的情形。</translation>
    </message>
    <message>
        <source>leave overfit_batches out</source>
        <translation>去掉 overfit_batches</translation>
    </message>
    <message>
        <source>it is not known yet how ranks that divide one copy of the model continue after a stop.</source>
        <translation>共同承担一份模型的 rank 在停止后如何继续，目前还不清楚。</translation>
    </message>
</context>
<context>
    <name>run</name>
    <message>
        <source>data wait</source>
        <translation>等数据</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>waiting for others</source>
        <translation>等待其他 rank</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>proven</source>
        <translation>已验证</translation>
    </message>
    <message>
        <source>different</source>
        <translation>不一致</translation>
    </message>
    <message>
        <source>planned</source>
        <translation>计划中</translation>
    </message>
    <message>
        <source>not compared</source>
        <translation>未比较</translation>
    </message>
    <message>
        <source>no longer kept</source>
        <translation>不再保留</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>step</source>
        <translation>step</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>样本/s</translation>
    </message>
    <message>
        <source>wait share</source>
        <translation>等待占比</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>epoch %1</translation>
    </message>
    <message>
        <source>%1&#x202f;ms</source>
        <translation>%1&#x202f;ms</translation>
    </message>
    <message>
        <source>%1 · %2 × %3, all on this machine</source>
        <translation>%1 · %2 × %3，全部在本机</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>%1 for %2: waits will include CPU scheduling</source>
        <translation>%2 只有 %1：等待时间会包含 CPU 调度</translation>
    </message>
    <message>
        <source>%1, at least one per rank</source>
        <translation>%1，每个 rank 至少一个</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>in every step</source>
        <translation>每个 step</translation>
    </message>
    <message>
        <source>in steps %1 to %2</source>
        <translation>step %1 至 %2</translation>
    </message>
    <message>
        <source>from step %1</source>
        <translation>从 step %1 起</translation>
    </message>
    <message>
        <source>rank %1, %2 more loading %3</source>
        <translation>rank %1，%3 加载多耗 %2</translation>
    </message>
    <message>
        <source>rank %1, %2 more computing %3</source>
        <translation>rank %1，%3 计算多耗 %2</translation>
    </message>
    <message>
        <source>slowed ranks</source>
        <translation>被减速的 rank</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>slowed rank</source>
        <translation>被减速的 rank</translation>
    </message>
    <message>
        <source>Launch starts a stand-in job with %1</source>
        <translation>“启动”会用 %1 运行一个模拟作业</translation>
    </message>
    <message>
        <source>each step</source>
        <translation>每个 step</translation>
    </message>
    <message>
        <source>load %1 · compute %2 · all_reduce of %3</source>
        <translation>加载 %1 · 计算 %2 · all_reduce %3</translation>
    </message>
    <message>
        <source>what it proves</source>
        <translation>可以验证</translation>
    </message>
    <message>
        <source>whether batches arrive in the planned order; your script does not run</source>
        <translation>batch 是否按计划的顺序到达；不会运行你的脚本</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>step %1</translation>
    </message>
    <message>
        <source>epoch %1 · step %2</source>
        <translation>epoch %1 · step %2</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>计算中</translation>
    </message>
    <message>
        <source>waiting · %1</source>
        <translation>等待 · %1</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>time not known</source>
        <translation>时间未知</translation>
    </message>
    <message>
        <source>duration not known</source>
        <translation>时长未知</translation>
    </message>
    <message>
        <source>running for %1</source>
        <translation>已运行 %1</translation>
    </message>
    <message>
        <source>finished, %1</source>
        <translation>已完成，%1</translation>
    </message>
    <message>
        <source>failed after %1</source>
        <translation>运行 %1 后失败</translation>
    </message>
    <message>
        <source>stopped after %1</source>
        <translation>运行 %1 后停止</translation>
    </message>
    <message>
        <source>no end recorded: outcome not known, %1</source>
        <translation>没有记录到结束：结果未知，%1</translation>
    </message>
    <message>
        <source>no plan to compare with</source>
        <translation>没有可比较的计划</translation>
    </message>
    <message>
        <source>no batch compared</source>
        <translation>没有比较任何 batch</translation>
    </message>
    <message>
        <source>1 batch differs</source>
        <translation>1 个 batch 不一致</translation>
    </message>
    <message>
        <source>%1 batches differ</source>
        <translation>%1 个 batch 不一致</translation>
    </message>
    <message>
        <source>all batches proven</source>
        <translation>所有 batch 均已验证</translation>
    </message>
    <message>
        <source>%1 of the batches proven</source>
        <translation>%1 的 batch 已验证</translation>
    </message>
    <message>
        <source>cannot be read: %1</source>
        <translation>无法读取：%1</translation>
    </message>
    <message>
        <source>damaged: what it recorded is not known</source>
        <translation>已损坏：记录内容未知</translation>
    </message>
    <message>
        <source>empty: it ends before the job began</source>
        <translation>空记录：在作业开始前就结束了</translation>
    </message>
    <message>
        <source>damaged in places</source>
        <translation>部分损坏</translation>
    </message>
    <message>
        <source>reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>The job is running</source>
        <translation>作业正在运行</translation>
    </message>
    <message>
        <source>No collective has completed yet.</source>
        <translation>还没有完成任何集合通信。</translation>
    </message>
    <message>
        <source>The largest median lateness in a collective is %1.</source>
        <translation>集合通信中最大的迟到中位数为 %1。</translation>
    </message>
    <message>
        <source>The ranks spend %1&#x202f;% of their time waiting for each other.</source>
        <translation>各 rank 有 %1&#x202f;% 的时间在互相等待。</translation>
    </message>
    <message>
        <source>All ranks move together</source>
        <translation>所有 rank 步调一致</translation>
    </message>
    <message>
        <source>No single rank is clearly slow</source>
        <translation>没有明显偏慢的 rank</translation>
    </message>
    <message>
        <source>%1 of %2 batches match the plan.</source>
        <translation>%1 / %2 个 batch 与计划一致。</translation>
    </message>
    <message>
        <source>%1 of %2 planned batches were reported; %3 match the plan.</source>
        <translation>计划的 %2 个 batch 中上报了 %1 个；%3 个与计划一致。</translation>
    </message>
    <message>
        <source>The job reported no batches to compare with the plan.</source>
        <translation>作业没有上报可与计划比较的 batch。</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>%1 took %2.</source>
        <translation>%1 用时 %2。</translation>
    </message>
    <message>
        <source>Starting %1</source>
        <translation>正在启动 %1</translation>
    </message>
    <message>
        <source>The launcher has started; no rank has reported yet.</source>
        <translation>启动器已运行；还没有 rank 上报。</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>The job was stopped after %1. Its recording was kept.</source>
        <translation>作业在运行 %1 后停止，记录已保留。</translation>
    </message>
    <message>
        <source>The job failed</source>
        <translation>作业失败</translation>
    </message>
    <message>
        <source>The command is running</source>
        <translation>命令正在运行</translation>
    </message>
    <message>
        <source>It does not report to ShardLens, so its ranks are not measured.</source>
        <translation>它没有向 ShardLens 上报，因此不测量其 rank。</translation>
    </message>
    <message>
        <source>%1 in this recording has a type that this version does not know, and is not shown.</source>
        <translation>此记录中有 %1的类型是当前版本不认识的，未显示。</translation>
    </message>
    <message>
        <source>%1 in this recording have types that this version does not know, and are not shown.</source>
        <translation>此记录中有 %1的类型是当前版本不认识的，未显示。</translation>
    </message>
    <message>
        <source>epoch %1 · step %2 of %3</source>
        <translation>epoch %1 · step %2 / %3</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>ETA %1</source>
        <translation>预计剩余 %1</translation>
    </message>
    <message>
        <source>Finished in %1.</source>
        <translation>用时 %1 完成。</translation>
    </message>
    <message>
        <source>Stopped after %1.</source>
        <translation>运行 %1 后停止。</translation>
    </message>
    <message>
        <source>%1 samples/s</source>
        <translation>%1 样本/s</translation>
    </message>
    <message>
        <source>%1 lost</source>
        <translation>丢失 %1</translation>
    </message>
    <message>
        <source>%1 damaged</source>
        <translation>损坏 %1</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>recording · %1</source>
        <translation>记录中 · %1</translation>
    </message>
    <message>
        <source>finished · %1</source>
        <translation>已完成 · %1</translation>
    </message>
    <message>
        <source>stopped · %1</source>
        <translation>已停止 · %1</translation>
    </message>
    <message>
        <source>failed · %1</source>
        <translation>已失败 · %1</translation>
    </message>
    <message>
        <source>recorded · %1</source>
        <translation>已记录 · %1</translation>
    </message>
    <message>
        <source>There is no plan to compare with: %1</source>
        <translation>没有可比较的计划：%1</translation>
    </message>
    <message>
        <source>No batch has been compared with the plan yet</source>
        <translation>还没有 batch 与计划比较过</translation>
    </message>
    <message>
        <source>%1 of %2 batches match the plan</source>
        <translation>%1 / %2 个 batch 与计划一致</translation>
    </message>
    <message>
        <source>%1 of %2 planned batches compared: all match the plan</source>
        <translation>已比较计划的 %2 个 batch 中的 %1 个：全部与计划一致</translation>
    </message>
    <message>
        <source>%1 of %2 batches does not match the plan</source>
        <translation>%1 / %2 个 batch 与计划不一致</translation>
    </message>
    <message>
        <source>%1 of %2 batches do not match the plan</source>
        <translation>%1 / %2 个 batch 与计划不一致</translation>
    </message>
    <message>
        <source>%1; first: rank %2, epoch %3, step %4</source>
        <translation>%1；第一处：rank %2，epoch %3，step %4</translation>
    </message>
    <message>
        <source>match · all %1 planned batches</source>
        <translation>一致 · 全部 %1 个计划 batch</translation>
    </message>
    <message>
        <source>mismatch · %1</source>
        <translation>不一致 · %1</translation>
    </message>
    <message>
        <source>incomplete · %1</source>
        <translation>不完整 · %1</translation>
    </message>
    <message>
        <source>verify: %1</source>
        <translation>verify：%1</translation>
    </message>
    <message>
        <source>last in %1 of %2</source>
        <translation>%2 次中有 %1 次最后到达</translation>
    </message>
    <message>
        <source>fixing it alone saves %1</source>
        <translation>只修复它可节省 %1</translation>
    </message>
    <message>
        <source>%1 per step</source>
        <translation>每个 step %1</translation>
    </message>
    <message>
        <source>The others waited %1 for it · fixing it would save %2</source>
        <translation>其他 rank 为它等待了 %1 · 修复可节省 %2</translation>
    </message>
    <message>
        <source>The others waited %1 for them · fixing all of them would save %2</source>
        <translation>其他 rank 为它们等待了 %1 · 全部修复可节省 %2</translation>
    </message>
    <message>
        <source>%1 · %2 to %3 of the run</source>
        <translation>%1 · 运行的 %2 至 %3</translation>
    </message>
    <message>
        <source>no batch</source>
        <translation>没有 batch</translation>
    </message>
    <message>
        <source>The program shardlens, which runs jobs, is neither next to the studio nor in PATH.</source>
        <translation>找不到运行作业的程序 shardlens：它既不在 studio 旁边，也不在 PATH 中。</translation>
    </message>
    <message>
        <source>install all of ShardLens</source>
        <translation>请完整安装 ShardLens</translation>
    </message>
    <message>
        <source>A job is already running.</source>
        <translation>已有作业正在运行。</translation>
    </message>
    <message>
        <source>stop it first, or open another window</source>
        <translation>请先停止它，或另开一个窗口</translation>
    </message>
    <message>
        <source>Arrival of each rank in the last collectives</source>
        <translation>最近几次集合通信中各 rank 的到达时间</translation>
    </message>
    <message>
        <source>Arrivals, last %1</source>
        <translation>到达时间，最近 %1 次</translation>
    </message>
    <message>
        <source>Arrivals, in view: %1</source>
        <translation>到达时间，视图内 %1 次</translation>
    </message>
    <message>
        <source>dot: median · bar: 5 to 95 %</source>
        <translation>点：中位数 · 条：5 至 95 %</translation>
    </message>
    <message>
        <source>the %1 latest; %2</source>
        <translation>最晚的 %1 个；%2</translation>
    </message>
    <message>
        <source>No collective has completed in this time</source>
        <translation>此时段内没有完成集合通信</translation>
    </message>
    <message>
        <source>No collective has completed yet</source>
        <translation>还没有完成任何集合通信</translation>
    </message>
    <message>
        <source>No collective was recorded</source>
        <translation>没有记录任何集合通信</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Open another recording</source>
        <translation>打开另一个运行记录</translation>
    </message>
    <message>
        <source>Play the recording</source>
        <translation>播放运行记录</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Time in the run</source>
        <translation>运行中的时刻</translation>
    </message>
    <message>
        <source>recording</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>verifying…</source>
        <translation>正在验证…</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>No output yet</source>
        <translation>还没有输出</translation>
    </message>
    <message>
        <source>err %1</source>
        <translation>err %1</translation>
    </message>
    <message>
        <source>Output of the job</source>
        <translation>作业的输出</translation>
    </message>
    <message>
        <source>Console</source>
        <translation>控制台</translation>
    </message>
    <message>
        <source>Show the output of</source>
        <translation>显示谁的输出</translation>
    </message>
    <message>
        <source>filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Show lines that contain</source>
        <translation>只显示包含此内容的行</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Keep the newest line in sight (f)</source>
        <translation>始终显示最新一行（f）</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the selected lines, or all of them</source>
        <translation>复制选中的行；未选中则复制全部</translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation>所有 rank</translation>
    </message>
    <message>
        <source>launcher</source>
        <translation>启动器</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>Measured: %1</source>
        <translation>实测：%1</translation>
    </message>
    <message>
        <source>There is no plan to predict from.</source>
        <translation>没有可用于预测的计划。</translation>
    </message>
    <message>
        <source>The schedule of this plan may hang: no run of it is predicted.</source>
        <translation>此计划的 schedule 可能会挂起：不预测它的运行。</translation>
    </message>
    <message>
        <source>The schedule of this plan hangs: no run of it ends.</source>
        <translation>此计划的 schedule 会挂起：它的任何一次运行都不会结束。</translation>
    </message>
    <message>
        <source>Counting the steps…</source>
        <translation>正在统计 step 数…</translation>
    </message>
    <message>
        <source>Predicted for the open design from run.load_ms %1 and run.compute_ms %2; network time is not included</source>
        <translation>根据 run.load_ms %1 和 run.compute_ms %2 对当前设计的预测；不含网络时间</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>To do: %1</source>
        <translation>建议：%1</translation>
    </message>
    <message>
        <source>still running</source>
        <translation>仍在运行</translation>
    </message>
    <message>
        <source>Watch %1</source>
        <translation>查看 %1</translation>
    </message>
    <message>
        <source>A recording replays a run, moment by moment, with the verdicts of that time. Every job launched here is recorded. Open one, or drop a recording (.slrun) on this window.</source>
        <translation>运行记录可以逐时刻回放一次运行及当时的结论。从这里启动的作业都会被记录。打开一个记录，或把记录（.slrun）拖到此窗口。</translation>
    </message>
    <message>
        <source>Open a recording…</source>
        <translation>打开运行记录…</translation>
    </message>
    <message>
        <source>No recording is open</source>
        <translation>没有打开的运行记录</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Back to %1</source>
        <translation>返回 %1</translation>
    </message>
    <message>
        <source>the run</source>
        <translation>该运行</translation>
    </message>
    <message>
        <source>error output: %1</source>
        <translation>错误输出：%1</translation>
    </message>
    <message>
        <source>The whole run; the frame is the part in view</source>
        <translation>整个运行；方框为当前视图</translation>
    </message>
    <message>
        <source>the longest step of each column, up to %1 high; %2</source>
        <translation>每列中最长的一个 step，最高 %1；%2</translation>
    </message>
    <message>
        <source>steps %1 to %2</source>
        <translation>step %1 至 %2</translation>
    </message>
    <message>
        <source>epoch %1 · %2</source>
        <translation>epoch %1 · %2</translation>
    </message>
    <message>
        <source>%1 on the slowest rank; the ranks compute %2 of it on average</source>
        <translation>最慢的 rank 用时 %1；各 rank 平均有 %2 在计算</translation>
    </message>
    <message>
        <source>no rank made progress for a while</source>
        <translation>有一段时间没有任何 rank 前进</translation>
    </message>
    <message>
        <source>matches the plan</source>
        <translation>与计划一致</translation>
    </message>
    <message>
        <source>does not match the plan</source>
        <translation>与计划不一致</translation>
    </message>
    <message>
        <source>consumed, but its record was lost: not compared</source>
        <translation>已消费，但记录丢失：未比较</translation>
    </message>
    <message>
        <source>consumed long ago: play the recording to that moment to see it compared</source>
        <translation>很早以前已消费：回放到该时刻可查看比较结果</translation>
    </message>
    <message>
        <source>not consumed yet</source>
        <translation>尚未消费</translation>
    </message>
    <message>
        <source>Planned and consumed batches, rank by rank</source>
        <translation>各 rank 计划与实际消费的 batch</translation>
    </message>
    <message>
        <source>ranks %1, the worst</source>
        <translation>rank %1 中最差的</translation>
    </message>
    <message>
        <source>Proof of assignment</source>
        <translation>分配证明</translation>
    </message>
    <message>
        <source>Proof</source>
        <translation>分配证明</translation>
    </message>
    <message>
        <source>Ranks and their timeline</source>
        <translation>各 rank 及其时间线</translation>
    </message>
    <message>
        <source>sorted by rank</source>
        <translation>按 rank 排序</translation>
    </message>
    <message>
        <source>Sort by rank, or the latest first (L)</source>
        <translation>按 rank 排序，或最晚的在前（L）</translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation>整个运行</translation>
    </message>
    <message>
        <source>Show all of the run (Home)</source>
        <translation>显示整个运行（Home）</translation>
    </message>
    <message>
        <source>Latest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>Back to the latest steps, and follow them (0)</source>
        <translation>回到最新的 step 并跟随（0）</translation>
    </message>
    <message>
        <source>latest first</source>
        <translation>最晚的在前</translation>
    </message>
    <message>
        <source>rank %1, %2, step %3, %4</source>
        <translation>rank %1，%2，step %3，%4</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>rank %1 on %2, process %3
step %4, %5 samples/s: %6
%7, %8 lost</source>
        <translation>rank %1 位于 %2，进程 %3
step %4，%5 样本/s：%6
%7，丢失 %8</translation>
    </message>
    <message>
        <source>rank %1 has ended</source>
        <translation>rank %1 已结束</translation>
    </message>
    <message>
        <source>rank %1: not measured</source>
        <translation>rank %1：未测量</translation>
    </message>
    <message>
        <source>rank %1 · epoch %2 · step %3
%4 %5</source>
        <translation>rank %1 · epoch %2 · step %3
%4 %5</translation>
    </message>
    <message>
        <source>clocks not comparable</source>
        <translation>时钟不可比较</translation>
    </message>
    <message>
        <source>clock error ± %1</source>
        <translation>时钟误差 ± %1</translation>
    </message>
    <message>
        <source>same clock</source>
        <translation>同一时钟</translation>
    </message>
    <message>
        <source>%1 in view</source>
        <translation>视图 %1</translation>
    </message>
    <message>
        <source>predicted · %1</source>
        <translation>预测 · %1</translation>
    </message>
    <message>
        <source>older times in blocks of %1</source>
        <translation>更早的时间按 %1 分块</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>longest step per column</source>
        <translation>每列最长的 step</translation>
    </message>
    <message>
        <source>above: the latest %1</source>
        <translation>上方：最新 %1</translation>
    </message>
    <message>
        <source>all %1; each row shows its worst value</source>
        <translation>全部 %1；每行显示其最差值</translation>
    </message>
    <message>
        <source>now %1</source>
        <translation>现在 %1</translation>
    </message>
    <message>
        <source>%1 · drag to zoom all panels</source>
        <translation>%1 · 拖动可缩放所有面板</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>已失败</translation>
    </message>
    <message>
        <source>outcome not known</source>
        <translation>结果未知</translation>
    </message>
    <message>
        <source>running now</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>recent runs</source>
        <translation>最近的运行</translation>
    </message>
    <message>
        <source>Return to it</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>The command reads the saved file: save the design before you use it. Launch runs the design as it is here.</source>
        <translation>该命令读取已保存的文件：使用前请先保存设计。“启动”运行的是此处显示的设计。</translation>
    </message>
    <message>
        <source>&amp;Pause or follow the view</source>
        <translation>暂停或跟随视图(&amp;P)</translation>
    </message>
    <message>
        <source>The job continues and is recorded; only the view is paused</source>
        <translation>作业继续运行并被记录；仅暂停视图</translation>
    </message>
    <message>
        <source>&amp;Open recorded run…</source>
        <translation>打开运行记录(&amp;O)…</translation>
    </message>
    <message>
        <source>The runs of this machine, and recordings from elsewhere</source>
        <translation>本机的运行，以及来自别处的记录</translation>
    </message>
    <message>
        <source>&amp;Copy launch command</source>
        <translation>复制启动命令(&amp;C)</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>The launcher is stopping every process of the job.</source>
        <translation>启动器正在停止作业的所有进程。</translation>
    </message>
    <message>
        <source>Open a recording</source>
        <translation>打开运行记录</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>下一步：%1</translation>
    </message>
    <message>
        <source>Show rank %1</source>
        <translation>显示 rank %1</translation>
    </message>
    <message>
        <source>Also: %1. %2</source>
        <translation>另外：%1。%2</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 条</translation>
    </message>
    <message>
        <source>Waiting of each rank</source>
        <translation>各 rank 的等待</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>only rank %1</source>
        <translation>只看 rank %1</translation>
    </message>
    <message>
        <source>only ranks %1 and %2</source>
        <translation>只看 rank %1 和 %2</translation>
    </message>
    <message>
        <source>There is no plan to predict from</source>
        <translation>没有可用于预测的计划</translation>
    </message>
    <message>
        <source>Predicted waits</source>
        <translation>预测的等待</translation>
    </message>
    <message>
        <source>Whether the schedule hangs is not known</source>
        <translation>schedule 是否会死锁尚不可知</translation>
    </message>
    <message>
        <source>Estimated from load_ms and compute_ms; network time is not included</source>
        <translation>按 load_ms 和 compute_ms 估算；不含网络时间</translation>
    </message>
    <message>
        <source>Estimated from the schedule, load_ms and compute_ms; network time as far as the schedule says it</source>
        <translation>按 schedule、load_ms 和 compute_ms 估算；网络时间以 schedule 写明的为限</translation>
    </message>
    <message>
        <source>Following the schedule…</source>
        <translation>正在推演 schedule…</translation>
    </message>
    <message>
        <source>The waits cannot be predicted</source>
        <translation>无法预测等待</translation>
    </message>
    <message>
        <source>rank %1: %2</source>
        <translation>rank %1：%2</translation>
    </message>
    <message>
        <source>ddd HH:mm</source>
        <translation>M月d日 HH:mm</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>Waiting for other ranks: %1 and %2 of the time. Waiting for data: %3 and %4.</source>
        <translation>等待其他 rank：占时间的 %1 和 %2。等数据：%3 和 %4。</translation>
    </message>
    <message>
        <source>No step of %1 was measured</source>
        <translation>%1 没有测量到任何 step</translation>
    </message>
    <message>
        <source>A step takes %1 in both runs</source>
        <translation>两者每个 step 都用时 %1</translation>
    </message>
    <message>
        <source>A step takes %2 in %1 and %4 in %3: %5 less</source>
        <translation>%1 每个 step 用时 %2，%3 每个 step 用时 %4：少 %5</translation>
    </message>
    <message>
        <source>A step takes %2 in %1 and %4 in %3: %5 more</source>
        <translation>%1 每个 step 用时 %2，%3 每个 step 用时 %4：多 %5</translation>
    </message>
    <message>
        <source>How the job ended is not known</source>
        <translation>作业如何结束未知</translation>
    </message>
    <message>
        <source>%1 of what was recorded</source>
        <translation>%1（按已记录的部分）</translation>
    </message>
    <message>
        <source>Of the whole run · no collective has completed recently</source>
        <translation>整个运行 · 最近没有完成的集合通信</translation>
    </message>
    <message>
        <source>Of the whole run · last collective, in order of arrival: %1</source>
        <translation>整个运行 · 最近一次集合通信，按到达顺序：%1</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>%1 in total</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>What its loaders read</source>
        <translation>加载器实际读取的内容</translation>
    </message>
    <message>
        <source>No PyTorch loader has been seen yet.</source>
        <translation>尚未发现 PyTorch 加载器。</translation>
    </message>
    <message>
        <source>As recorded so far.</source>
        <translation>截至目前的记录。</translation>
    </message>
    <message>
        <source>Make this a design</source>
        <translation>以此新建设计</translation>
    </message>
    <message>
        <source>Run and watch</source>
        <translation>运行并监视</translation>
    </message>
    <message>
        <source>Your own command</source>
        <translation>你自己的命令</translation>
    </message>
    <message>
        <source>Choose the folder in which the command runs</source>
        <translation>选择运行命令的文件夹</translation>
    </message>
    <message>
        <source>Nothing in your program is changed. It runs as typed; what its PyTorch loaders read and where its ranks wait is recorded.</source>
        <translation>你的程序不会被修改。命令按输入运行，并记录其 PyTorch 加载器读取的内容以及各 rank 的等待。</translation>
    </message>
    <message>
        <source>or watch your own job</source>
        <translation>或监视你自己的作业</translation>
    </message>
    <message>
        <source>in the folder %1</source>
        <translation>在文件夹 %1 中</translation>
    </message>
    <message>
        <source>Folder in which the command runs</source>
        <translation>运行命令的文件夹</translation>
    </message>
    <message>
        <source>Type a command; what its loaders read is recorded and shown</source>
        <translation>输入命令；记录并显示其加载器读取的内容</translation>
    </message>
    <message>
        <source>&amp;Watch your own job…</source>
        <translation>监视你自己的作业(&amp;W)…</translation>
    </message>
    <message>
        <source>It took %1. Its ranks are not known.</source>
        <translation>用时 %1。未获知其 rank。</translation>
    </message>
    <message>
        <source>torchrun --nproc_per_node=4 train.py</source>
        <translation>torchrun --nproc_per_node=4 train.py</translation>
    </message>
    <message>
        <source>choose the folder in which the command runs</source>
        <translation>选择运行命令的文件夹</translation>
    </message>
    <message>
        <source>There is no folder %1.</source>
        <translation>没有文件夹 %1。</translation>
    </message>
    <message>
        <source>rank %1 on %2</source>
        <translation>%2 上的 rank %1</translation>
    </message>
    <message>
        <source>%1&#x202f;% of its time waiting</source>
        <translation>%1&#x202f;% 的时间在等待</translation>
    </message>
    <message>
        <source>Arrivals</source>
        <translation>到达时间</translation>
    </message>
    <message>
        <source>Rank lanes</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>rank %1, process %2</source>
        <translation>rank %1，进程 %2</translation>
    </message>
    <message>
        <source>rank %1 on %2, process %3</source>
        <translation>%2 上的 rank %1，进程 %3</translation>
    </message>
    <message>
        <source>%1, epoch %2, step %3</source>
        <translation>%1，epoch %2，step %3</translation>
    </message>
    <message>
        <source>and %1</source>
        <translation>以及 %1</translation>
    </message>
    <message>
        <source>since</source>
        <translation>开始于</translation>
    </message>
    <message>
        <source>what is known</source>
        <translation>已知</translation>
    </message>
    <message>
        <source>what to do</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>delayed the job by %1</source>
        <translation>使作业延迟了 %1</translation>
    </message>
    <message>
        <source>Stop job</source>
        <translation>停止作业</translation>
    </message>
    <message>
        <source>Stop every process of the job (Ctrl+.)</source>
        <translation>停止作业的所有进程（Ctrl+.）</translation>
    </message>
    <message>
        <source>Stop every process of this job? Its recording is kept.</source>
        <translation>停止此作业的所有进程？记录会保留。</translation>
    </message>
    <message>
        <source>Stop it</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Keep it running</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>Pause view</source>
        <translation>暂停视图</translation>
    </message>
    <message>
        <source>● view paused</source>
        <translation>● 视图已暂停</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>&amp;Stop job…</source>
        <translation>停止作业(&amp;S)…</translation>
    </message>
    <message>
        <source>Stop every process of the job; asks first, and takes the same key as the answer</source>
        <translation>停止作业的所有进程；会先询问，再按一次同样的键即为确认</translation>
    </message>
    <message>
        <source>Stall</source>
        <translation>停滞</translation>
    </message>
    <message>
        <source>The job stands still</source>
        <translation>作业停滞</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the card of the stall</source>
        <translation>关闭停滞卡片</translation>
    </message>
    <message>
        <source>more findings</source>
        <translation>其他发现</translation>
    </message>
    <message>
        <source>process %1, %2 ago</source>
        <translation>进程 %1，%2前</translation>
    </message>
    <message>
        <source>worker %1, which has the batch</source>
        <translation>worker %1（持有该 batch）</translation>
    </message>
    <message>
        <source>worker %1, which reads sample %2</source>
        <translation>worker %1（正在读取 sample %2）</translation>
    </message>
    <message>
        <source>its calls, while it reads sample %1</source>
        <translation>未返回的调用（正在读取 sample %1）</translation>
    </message>
    <message>
        <source>calls that have not returned</source>
        <translation>未返回的调用</translation>
    </message>
    <message>
        <source>ranks waiting</source>
        <translation>等待中的 rank</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>已 %1</translation>
    </message>
    <message>
        <source>ranks %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>for up to %1</source>
        <translation>最长 %1</translation>
    </message>
    <message>
        <source>stalled</source>
        <translation>停滞的 rank</translation>
    </message>
    <message>
        <source>%1 after the start</source>
        <translation>开始后 %1</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>%1前</translation>
    </message>
    <message>
        <source>current phase</source>
        <translation>当前阶段</translation>
    </message>
    <message>
        <source>This job was not started here: whoever started it can stop it.</source>
        <translation>此作业不是在本机启动的：只能由启动者停止。</translation>
    </message>
    <message>
        <source>No rank waits for another.</source>
        <translation>没有 rank 等待其他 rank。</translation>
    </message>
    <message>
        <source>No rank has waited for another.</source>
        <translation>没有 rank 等待过其他 rank。</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>may be stuck in %1</source>
        <translation>可能停在 %1</translation>
    </message>
    <message>
        <source>stuck in %1</source>
        <translation>停在 %1</translation>
    </message>
    <message>
        <source>has finished</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>verify: %1 (compared with the recording&apos;s own spec; the open spec differs in %2)</source>
        <translation>verify：%1（与记录自带的配置比较；当前配置在 %2 上不同）</translation>
    </message>
    <message>
        <source>Also: %1</source>
        <translation>另外：%1</translation>
    </message>
    <message>
        <source>What the loader %1 read</source>
        <translation>加载器 %1 读取了什么</translation>
    </message>
    <message>
        <source>No phase takes time, so there is nothing to predict.</source>
        <translation>没有任何阶段耗时，因此没有可预测的内容。</translation>
    </message>
    <message>
        <source>The schedule has no phase in a step, so no step is predicted.</source>
        <translation>schedule 在 step 中没有任何阶段，因此没有可预测的 step。</translation>
    </message>
    <message>
        <source>with run.delays</source>
        <translation>计入 run.delays</translation>
    </message>
    <message>
        <source>%1 · %2 (%3), all on this machine</source>
        <translation>%1 · %2（%3），全部在本机</translation>
    </message>
    <message>
        <source>Launch a stand-in</source>
        <translation>启动模拟作业</translation>
    </message>
    <message>
        <source>Start %1 on %2</source>
        <translation>用 %2启动 %1</translation>
    </message>
    <message>
        <source>%1 would share %2 and slow down whatever else runs here. Start them all the same?</source>
        <translation>%1 将共用 %2，会拖慢本机上的其他程序。仍要启动吗？</translation>
    </message>
    <message>
        <source>Launch a stand-in, or watch your own job: the output of its ranks appears here.</source>
        <translation>启动模拟作业，或监视你自己的作业：各 rank 的输出会显示在这里。</translation>
    </message>
    <message>
        <source>&amp;Launch a stand-in</source>
        <translation>启动模拟作业(&amp;L)</translation>
    </message>
    <message>
        <source>Ranks that read as planned, on this machine; your script does not run</source>
        <translation>在本机启动按计划读取的各 rank；不会运行你的脚本</translation>
    </message>
    <message>
        <source>Show its batches</source>
        <translation>显示它的 batch</translation>
    </message>
    <message>
        <source>no step was measured; %1</source>
        <translation>没有测得任何 step；%1</translation>
    </message>
    <message>
        <source>planned, and not consumed as far as was recorded</source>
        <translation>已计划；就已记录的内容看，未被消费</translation>
    </message>
    <message>
        <source>planned, and not consumed</source>
        <translation>已计划，未被消费</translation>
    </message>
    <message>
        <source>no step was measured</source>
        <translation>没有测得任何 step</translation>
    </message>
    <message>
        <source>No rank has reported anything.</source>
        <translation>没有 rank 报告过任何内容。</translation>
    </message>
    <message>
        <source>No rank has reported yet.</source>
        <translation>还没有 rank 报告任何内容。</translation>
    </message>
    <message>
        <source>Compare with the open design</source>
        <translation>与打开的设计比较</translation>
    </message>
    <message>
        <source>Whether its loaders read what the design plans, batch by batch</source>
        <translation>逐个 batch 检查其加载器读取的是否就是设计所计划的</translation>
    </message>
    <message>
        <source>Run and watch compares with the design as it is here. The command below reads the saved file.</source>
        <translation>“运行并监视”与此处显示的设计比较；下面的命令读取已保存的文件。</translation>
    </message>
    <message>
        <source>Given to this command and to nothing else</source>
        <translation>只提供给该命令，不影响其他任何程序</translation>
    </message>
    <message>
        <source>Environment variables of the command, one a line</source>
        <translation>该命令的环境变量，每行一个</translation>
    </message>
    <message>
        <source>NAME=value, one a line. A value is taken as it stands; nothing in it is expanded. The recording keeps it with the command: type no passwords.</source>
        <translation>NAME=value，每行一个。值按原样使用，其中的内容不会展开。记录会将其与命令一起保存：请勿输入密码。</translation>
    </message>
    <message>
        <source>with %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>Set environment variables</source>
        <translation>设置环境变量</translation>
    </message>
    <message>
        <source>rank %1 in %2</source>
        <translation>rank %1，在 %2 中</translation>
    </message>
    <message>
        <source>ranks %1 in %2</source>
        <translation>rank %1，在 %2 中</translation>
    </message>
    <message>
        <source>fixing it saves %1 of %2 (%3&#x202f;%)</source>
        <translation>解决后可从 %2 中节省 %1（%3&#x202f;%）</translation>
    </message>
    <message>
        <source>fixing it saves up to %1</source>
        <translation>解决后最多可节省 %1</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>no rank seen</source>
        <translation>未见到 rank</translation>
    </message>
    <message>
        <source>no rank yet</source>
        <translation>尚无 rank</translation>
    </message>
    <message>
        <source>Recordings (*.slrun *.slseg *.slprobe);;All files (*)</source>
        <translation>运行记录 (*.slrun *.slseg *.slprobe);;所有文件 (*)</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>已记录</translation>
    </message>
    <message>
        <source>recorded; no rule plans it</source>
        <translation>已记录；没有规则规划它</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>The job did not read what the open design plans</source>
        <translation>作业读取的与打开的设计的计划不一致</translation>
    </message>
    <message>
        <source>Compared with the open design: %1</source>
        <translation>与打开的设计比较：%1</translation>
    </message>
    <message>
        <source>The schedule of the open design may hang: the tab Waits says where.</source>
        <translation>打开的设计的 schedule 可能会挂起：位置见“等待”标签页。</translation>
    </message>
    <message>
        <source>The schedule of the open design hangs: the tab Waits says where.</source>
        <translation>打开的设计的 schedule 会挂起：位置见“等待”标签页。</translation>
    </message>
    <message>
        <source>Predicted for the open design from its schedule, run.load_ms %1 and run.compute_ms %2; network time as far as the schedule says it</source>
        <translation>由打开的设计的 schedule、run.load_ms %1 和 run.compute_ms %2 预测；网络时间以 schedule 写明的为限</translation>
    </message>
</context>
<context>
    <name>samplers</name>
    <message>
        <source>recorded batches</source>
        <translation>记录下来的 batch</translation>
    </message>
    <message>
        <source>What accelerator.prepare() makes of a map-style DataLoader: every process iterates over all batches and keeps its share.</source>
        <translation>accelerator.prepare() 对 map-style DataLoader 的处理结果：每个进程都遍历所有 batch，并保留自己的一份。</translation>
    </message>
    <message>
        <source>What accelerator.prepare() makes of a DataLoader with a custom sampler: every process iterates over that sampler&apos;s batches and keeps its share.</source>
        <translation>accelerator.prepare() 对带有自定义采样器的 DataLoader 的处理结果：每个进程都遍历该采样器的 batch，并保留自己的一份。</translation>
    </message>
    <message>
        <source>Only rank 0 reads the data, and sends every process its part of each global batch; Accelerate&apos;s default for iterable datasets.</source>
        <translation>只有 rank 0 读取数据，并把每个全局 batch 的相应部分发送给每个进程；这是 Accelerate 对 iterable 数据集的默认方式。</translation>
    </message>
    <message>
        <source>What accelerator.prepare() makes of an iterable dataset: every process reads all of it and keeps its piece of each global batch.</source>
        <translation>accelerator.prepare() 对 iterable 数据集的处理结果：每个进程都读取全部数据，并保留每个全局 batch 中自己的一块。</translation>
    </message>
    <message>
        <source>Draws the same number of samples of each class on every rank: the size of the smallest or largest class, or a given number.</source>
        <translation>在每个 rank 上从每个类别抽取相同数量的样本：最小或最大类别的大小，或给定的数量。</translation>
    </message>
    <message>
        <source>Draws one pass of another sampler on every rank, permutes it with seed 0 + epoch and divides it among the ranks.</source>
        <translation>在每个 rank 上抽取另一个采样器的一遍，用种子 0 + epoch 排列，再划分给各 rank。</translation>
    </message>
    <message>
        <source>ShardLens&apos; own variant of TwoStreamBatchSampler for several ranks: all draw the same batches from seed + epoch, and rank r takes batches r, r + world_size, ...</source>
        <translation>ShardLens 自己为多个 rank 编写的 TwoStreamBatchSampler 变体：所有 rank 用 seed + epoch 抽取相同的 batch，rank r 取 batch r、r + world_size……</translation>
    </message>
    <message>
        <source>Draws samples on every rank with replacement, so that each class is equally frequent.</source>
        <translation>在每个 rank 上有放回地抽取样本，使每个类别同样频繁。</translation>
    </message>
    <message>
        <source>Yields m samples of one class, then m of the next, over classes in random order, on every rank.</source>
        <translation>在每个 rank 上按随机的类别顺序，先给出一个类别的 m 个样本，再给出下一个类别的 m 个样本。</translation>
    </message>
    <message>
        <source>Batches of two lists for semi-supervised training (mean-teacher): the primary list once per epoch, the secondary one over and over.</source>
        <translation>由两个列表组成、用于半监督训练的 batch（mean-teacher）：主列表每个 epoch 一次，次列表反复使用。</translation>
    </message>
    <message>
        <source>Batches of two lists for semi-supervised training (SSL4MIS): the primary list once per epoch, the secondary one over and over.</source>
        <translation>由两个列表组成、用于半监督训练的 batch（SSL4MIS）：主列表每个 epoch 一次，次列表反复使用。</translation>
    </message>
    <message>
        <source>Cuts a Hugging Face Dataset into one part for each rank, as split_dataset_by_node or shard() do; nothing is padded or dropped.</source>
        <translation>把 Hugging Face Dataset 切成每个 rank 一部分，如同 split_dataset_by_node 或 shard()；不补齐也不丢弃。</translation>
    </message>
    <message>
        <source>Streams the shards of a Hugging Face IterableDataset (datasets 5.0), split between ranks and workers, through a shuffle buffer.</source>
        <translation>流式读取 Hugging Face IterableDataset（datasets 5.0）的 shard，在 rank 和 worker 之间划分，并经由 shuffle buffer。</translation>
    </message>
    <message>
        <source>Batches of samples of one group (wide or tall images), in the order in which a TrainingSampler fills them.</source>
        <translation>由同一组样本（宽图或高图）组成的 batch，顺序为 TrainingSampler 填满它们的顺序。</translation>
    </message>
    <message>
        <source>One contiguous block of the dataset per rank, every sample once; the first blocks may be one sample longer.</source>
        <translation>每个 rank 得到数据集中连续的一块，每个样本一次；前几块可能多一个样本。</translation>
    </message>
    <message>
        <source>TrainingSampler that repeats each sample as often as its factor says, rounding the fraction up at random on every lap.</source>
        <translation>按因子重复每个样本的 TrainingSampler，每一轮随机地对小数部分向上取整。</translation>
    </message>
    <message>
        <source>Hands one endless stream of permutations to the ranks in turn.</source>
        <translation>把一条无尽的排列流轮流分给各 rank。</translation>
    </message>
    <message>
        <source>TrainingSampler over a random part of the dataset, drawn once.</source>
        <translation>作用于数据集随机一部分的 TrainingSampler，该部分只抽取一次。</translation>
    </message>
    <message>
        <source>Shuffles fixed batches with seed + epoch, hands them to the ranks in turn, and fills up with empty batches.</source>
        <translation>用 seed + epoch 打乱固定的 batch，轮流交给各 rank，并用空 batch 补齐。</translation>
    </message>
    <message>
        <source>Cuts the records into one contiguous part per rank, and shuffles each part for each of its num_epochs.</source>
        <translation>把记录切成每个 rank 连续的一部分，并在 num_epochs 的每一个中打乱各部分。</translation>
    </message>
    <message>
        <source>Draws one pass of another sampler on every rank, permutes it and divides it as DistributedSampler does.</source>
        <translation>在每个 rank 上抽取另一个采样器的一遍，加以排列，再像 DistributedSampler 那样划分。</translation>
    </message>
    <message>
        <source>Draws one pass of another sampler on every rank and divides it without padding, for predictions.</source>
        <translation>在每个 rank 上抽取另一个采样器的一遍，不补齐地划分，用于预测。</translation>
    </message>
    <message>
        <source>DistributedSampler without padding, for predictions: ranks may differ by one sample.</source>
        <translation>不补齐的 DistributedSampler，用于预测：各 rank 可能相差一个样本。</translation>
    </message>
    <message>
        <source>Every sample once, in order: one per rank and step, whatever the micro batch.</source>
        <translation>每个样本按顺序一次：每个 rank 每个 step 一个，与 micro batch 无关。</translation>
    </message>
    <message>
        <source>Permutes the dataset by the epoch number alone, and continues at consumed_samples; the cyclic data loader of Megatron-LM.</source>
        <translation>仅用 epoch 编号排列数据集，并从 consumed_samples 处继续；Megatron-LM 的 cyclic 数据加载器。</translation>
    </message>
    <message>
        <source>Reads the dataset in order from consumed_samples on; each rank takes its micro batch of every step.</source>
        <translation>从 consumed_samples 起按顺序读取数据集；每个 rank 取每个 step 中自己的 micro batch。</translation>
    </message>
    <message>
        <source>MegatronPretrainingSampler for hybrid context parallelism: a step is a whole global batch, of which each rank takes all its micro batches at once.</source>
        <translation>用于混合上下文并行的 MegatronPretrainingSampler：一个 step 是一整个全局 batch，每个 rank 一次取得其中自己的所有 micro batch。</translation>
    </message>
    <message>
        <source>Permutes the whole dataset with seed + epoch and gives each rank every world-size-th sample.</source>
        <translation>用 seed + epoch 排列整个数据集，每个 rank 每 world size 个样本取一个。</translation>
    </message>
    <message>
        <source>Hands one endless stream of permutations to the ranks in turn; it has no epochs.</source>
        <translation>把一条无尽的排列流轮流分给各 rank；它没有 epoch。</translation>
    </message>
    <message>
        <source>Samples the streams, cuts them into canonical nodes, shuffles shards inside those and divides the epoch among nodes, ranks and workers, in the same way for any number of nodes.</source>
        <translation>对各条流取样，切成 canonical nodes，在其中打乱 shard，再把 epoch 划分给节点、rank 和 worker；无论节点数是多少，方式都相同。</translation>
    </message>
    <message>
        <source>Gives each rank every world-size-th sample of the dataset in order, padded from the beginning.</source>
        <translation>按数据集的顺序，每个 rank 每 world size 个样本取一个，并从开头补齐。</translation>
    </message>
    <message>
        <source>Repeats each sample of the permuted dataset so that neighbouring ranks augment the same one.</source>
        <translation>重复排列后的数据集中的每个样本，使相邻的 rank 增强同一个样本。</translation>
    </message>
    <message>
        <source>Permutes the whole dataset with seed + epoch, pads or cuts it, and gives each replica every num_replicas-th sample.</source>
        <translation>用 seed + epoch 排列整个数据集，补齐或截断，每个副本每 num_replicas 个样本取一个。</translation>
    </message>
    <message>
        <source>A stream of samples instead of a sampler: the dataset itself must divide it between ranks and DataLoader workers.</source>
        <translation>样本流而不是采样器：数据集必须自己在 rank 和 DataLoader worker 之间划分。</translation>
    </message>
    <message>
        <source>A plain list of samples passed to the DataLoader as its sampler: every rank reads it in list order.</source>
        <translation>作为采样器传给 DataLoader 的普通样本列表：每个 rank 都按列表顺序读取。</translation>
    </message>
    <message>
        <source>Permutes the whole dataset on every rank by the rank&apos;s own generator; what a DataLoader uses with shuffle=True.</source>
        <translation>在每个 rank 上用该 rank 自己的生成器排列整个数据集；DataLoader 在 shuffle=True 时使用它。</translation>
    </message>
    <message>
        <source>The dataset in its own order, all of it on every rank; what a DataLoader uses with shuffle=False.</source>
        <translation>数据集按其自身的顺序，每个 rank 都读取全部；DataLoader 在 shuffle=False 时使用它。</translation>
    </message>
    <message>
        <source>Permutes a list of samples on every rank by the rank&apos;s own generator.</source>
        <translation>在每个 rank 上用该 rank 自己的生成器排列一个样本列表。</translation>
    </message>
    <message>
        <source>Draws samples on every rank by given weights, with the rank&apos;s own generator.</source>
        <translation>在每个 rank 上用该 rank 自己的生成器，按给定的权重抽取样本。</translation>
    </message>
    <message>
        <source>torch.RandomSampler with its own generator, which is always seeded and whose state is saved.</source>
        <translation>带有自己的生成器的 torch.RandomSampler：该生成器总会设置种子，其状态会保存。</translation>
    </message>
    <message>
        <source>A DistributedSampler whose ranks fill up their last batch with their own first samples.</source>
        <translation>各 rank 用自己最前面的样本补齐最后一个 batch 的 DistributedSampler。</translation>
    </message>
    <message>
        <source>Gives each process whole batches in turn, in the order of the dataset; the Trainer&apos;s evaluation.</source>
        <translation>按数据集的顺序，把整个 batch 轮流交给每个进程；用于 Trainer 的评估。</translation>
    </message>
    <message>
        <source>One contiguous block of the dataset per rank, the last one filled up with the first samples.</source>
        <translation>每个 rank 得到数据集中连续的一块，最后一块用最前面的样本补齐。</translation>
    </message>
    <message>
        <source>Permutes the dataset and sorts it by length in sections, with the longest sample first; what the Trainer uses with group_by_length on one process.</source>
        <translation>排列数据集并分段按长度排序，最长的样本在最前；Trainer 在单个进程上使用 group_by_length 时用它。</translation>
    </message>
    <message>
        <source>LengthGroupedSampler divided among ranks like a DistributedSampler; what the Trainer uses with group_by_length.</source>
        <translation>像 DistributedSampler 那样在各 rank 之间划分的 LengthGroupedSampler；Trainer 使用 group_by_length 时用它。</translation>
    </message>
    <message>
        <source>Splits the shards between ranks, then between workers, and reads each worker&apos;s shards one after another.</source>
        <translation>先在 rank 之间、再在 worker 之间划分 shard，并依次读取每个 worker 的 shard。</translation>
    </message>
    <message>
        <source>Draws shards with replacement in each worker of each rank, without splitting them.</source>
        <translation>在每个 rank 的每个 worker 中有放回地抽取 shard，不加划分。</translation>
    </message>
    <message>
        <source>torch.DistributedSampler that continues from a saved state.</source>
        <translation>从保存的状态继续的 torch.DistributedSampler。</translation>
    </message>
    <message>
        <source>batch_size is per process, and with split_batches it is the total (transformers#38484, accelerate#2708).</source>
        <translation>batch_size 是每个进程的；使用 split_batches 时则是总数（transformers#38484、accelerate#2708）。</translation>
    </message>
    <message>
        <source>even_batches off gives uneven numbers of batches and a wrong len() with split_batches (accelerate#4122); on, it repeats samples at the end.</source>
        <translation>关闭 even_batches 时 batch 数不均，并且使用 split_batches 时 len() 错误（accelerate#4122）；打开时会在末尾重复样本。</translation>
    </message>
    <message>
        <source>Without use_seedable_sampler a checkpoint in the middle of an epoch holds the state for the next one, and a resumed run continues with the wrong permutation (accelerate#2016, PR 4233).</source>
        <translation>没有 use_seedable_sampler 时，epoch 中途的 checkpoint 保存的是下一个 epoch 的状态，续训会用错误的排列继续（accelerate#2016、PR 4233）。</translation>
    </message>
    <message>
        <source>With use_seedable_sampler and no data_seed each process permutes by its own torch seed: give all processes the same seed, or some samples are read twice and others never.</source>
        <translation>使用 use_seedable_sampler 而没有 data_seed 时，每个进程按自己的 torch 种子排列：请给所有进程相同的种子，否则有些样本读取两次，有些从不读取。</translation>
    </message>
    <message>
        <source>After an epoch with skip_first_batches, the original loader counts its epochs from 0: with use_seedable_sampler it repeats the same permutation (PR 4233).</source>
        <translation>在使用 skip_first_batches 的 epoch 之后，原来的加载器从 0 开始计数 epoch：使用 use_seedable_sampler 时会重复相同的排列（PR 4233）。</translation>
    </message>
    <message>
        <source>Skipping more batches than the loader has fails at the first len(): __len__() should return &gt;= 0.</source>
        <translation>跳过的 batch 多于加载器所有的 batch，会在第一次 len() 时失败：__len__() should return &gt;= 0。</translation>
    </message>
    <message>
        <source>A DistributedSampler divides the dataset once more, without a warning, and an epoch leaves samples out. Leave it out: prepare() divides.</source>
        <translation>DistributedSampler 会再次划分数据集，没有警告，一个 epoch 会漏掉样本。请去掉它：prepare() 会划分。</translation>
    </message>
    <message>
        <source>A sampler with a generator is given rank 0&apos;s state in every epoch; one that draws from a global stream is not, and ranks with different seeds then take shares of different passes (accelerate#2865).</source>
        <translation>带生成器的采样器在每个 epoch 都得到 rank 0 的状态；从全局流抽取的采样器则不会，因此种子不同的 rank 取的是不同遍的份额（accelerate#2865）。</translation>
    </message>
    <message>
        <source>A batch sampler without batch_size is divided batch by batch, and the first batches are repeated at the end.</source>
        <translation>没有 batch_size 的 batch 采样器按 batch 逐个划分，并在末尾重复最前面的 batch。</translation>
    </message>
    <message>
        <source>One process reads for all, so every process waits for its loading.</source>
        <translation>由一个进程为所有进程读取，因此每个进程都要等待它加载。</translation>
    </message>
    <message>
        <source>The last global batch is filled up with the first samples when it does not divide evenly among the processes.</source>
        <translation>最后一个全局 batch 不能在各进程之间整除时，用最前面的样本补齐。</translation>
    </message>
    <message>
        <source>A dataset that yields no batch fails with a TypeError about NoneType.</source>
        <translation>不给出任何 batch 的数据集会因关于 NoneType 的 TypeError 而失败。</translation>
    </message>
    <message>
        <source>Batches of unequal size raise a RuntimeError (accelerate#961, #358, #2316).</source>
        <translation>大小不等的 batch 会引发 RuntimeError（accelerate#961、#358、#2316）。</translation>
    </message>
    <message>
        <source>Every process reads and decodes the whole stream, and discards most of it.</source>
        <translation>每个进程都读取并解码整条流，然后丢弃其中的大部分。</translation>
    </message>
    <message>
        <source>The end is filled up with the first global batch, which repeats samples.</source>
        <translation>末尾用第一个全局 batch 补齐，这会重复样本。</translation>
    </message>
    <message>
        <source>Ranks agree only when the stream has the same order on each (accelerate#2268).</source>
        <translation>只有当流在每个 rank 上的顺序相同时，各 rank 才一致（accelerate#2268）。</translation>
    </message>
    <message>
        <source>Every rank draws from all samples: nothing divides them, and ranks with equal NumPy seeds draw identical batches.</source>
        <translation>每个 rank 都从全部样本中抽取：没有任何东西划分它们；NumPy 种子相同的 rank 抽到完全相同的 batch。</translation>
    </message>
    <message>
        <source>All draws come from NumPy&apos;s global stream: any other draw from it shifts the following epochs.</source>
        <translation>所有抽取都来自 NumPy 的全局流：对它的任何其他抽取都会使之后的 epoch 错位。</translation>
    </message>
    <message>
        <source>Samples of classes smaller than that number are repeated.</source>
        <translation>小于该数的类别会重复样本。</translation>
    </message>
    <message>
        <source>A rank that gets one item or none raises a TypeError: itemgetter then returns no list.</source>
        <translation>只得到一项或没有得到任何项的 rank 会引发 TypeError：此时 itemgetter 不返回列表。</translation>
    </message>
    <message>
        <source>Its permutation is seeded with the epoch alone: no seed of the script changes it.</source>
        <translation>它的排列只以 epoch 为种子：脚本的种子都无法改变它。</translation>
    </message>
    <message>
        <source>Ranks share samples unless the inner sampler draws the same on every rank: use equal seeds.</source>
        <translation>除非内层采样器在每个 rank 上抽取的相同，否则各 rank 会共享样本：请使用相同的种子。</translation>
    </message>
    <message>
        <source>It permutes on top of the inner sampler, so a sorted order is lost unless shuffle is off.</source>
        <translation>它在内层采样器之上再排列，因此除非关闭 shuffle，排好的顺序会丢失。</translation>
    </message>
    <message>
        <source>This class is ShardLens&apos; own: no published project has it. The rule is mean-teacher&apos;s and SSL4MIS&apos;, drawn from a separate RandomState(seed + epoch) instead of NumPy&apos;s global stream.</source>
        <translation>这个类是 ShardLens 自己的：没有任何已发布的项目包含它。规则与 mean-teacher 和 SSL4MIS 相同，但从单独的 RandomState(seed + epoch) 抽取，而不是 NumPy 的全局流。</translation>
    </message>
    <message>
        <source>No two ranks share a primary sample within an epoch, and all ranks make the same number of steps; the batches that do not divide evenly are dropped.</source>
        <translation>在一个 epoch 内没有两个 rank 共享主样本，所有 rank 的 step 数相同；不能整除的 batch 会被丢弃。</translation>
    </message>
    <message>
        <source>Secondary samples come back, on other ranks too, once their list is used up: that is the two-stream rule.</source>
        <translation>次列表用完后，次样本会再次出现，也会出现在其他 rank 上：这是双流规则。</translation>
    </message>
    <message>
        <source>Every rank draws from all samples: nothing divides them, and ranks with equal torch seeds draw identical batches.</source>
        <translation>每个 rank 都从全部样本中抽取：没有任何东西划分它们；torch 种子相同的 rank 抽到完全相同的 batch。</translation>
    </message>
    <message>
        <source>More than 2^24 samples are refused.</source>
        <translation>拒绝超过 2^24 个样本。</translation>
    </message>
    <message>
        <source>All draws come from NumPy&apos;s global stream, and the order of the classes continues from epoch to epoch.</source>
        <translation>所有抽取都来自 NumPy 的全局流，类别的顺序在 epoch 之间延续。</translation>
    </message>
    <message>
        <source>An epoch is length_before_new_iter samples, 100,000 by default, whatever the size of the dataset.</source>
        <translation>一个 epoch 有 length_before_new_iter 个样本，默认 100,000 个，与数据集的大小无关。</translation>
    </message>
    <message>
        <source>Where length_before_new_iter is below m times the classes, the sampler yields more than its len().</source>
        <translation>当 length_before_new_iter 小于 m 乘以类别数时，采样器给出的样本多于它的 len()。</translation>
    </message>
    <message>
        <source>Samples of a class with fewer than m samples are repeated.</source>
        <translation>样本数少于 m 的类别会重复样本。</translation>
    </message>
    <message>
        <source>It ignores ranks: in DDP every rank yields its own batches over all samples, or, with equal seeds, identical ones.</source>
        <translation>它不区分 rank：在 DDP 中，每个 rank 都从全部样本给出自己的 batch；种子相同时则完全相同。</translation>
    </message>
    <message>
        <source>Lightning refuses it in DDP, because it has no batch_size attribute (pytorch-lightning#19371), and inheriting from BatchSampler does not help while the constructor takes no sampler (pytorch-lightning#19183, #19657).</source>
        <translation>Lightning 在 DDP 中拒绝它，因为它没有 batch_size 属性（pytorch-lightning#19371）；只要构造函数不接受采样器，继承 BatchSampler 也无济于事（pytorch-lightning#19183、#19657）。</translation>
    </message>
    <message>
        <source>All draws come from NumPy&apos;s global stream: any other draw from it, such as an augmentation in the main process, shifts every following batch.</source>
        <translation>所有抽取都来自 NumPy 的全局流：对它的任何其他抽取（例如主进程中的数据增强）都会使之后的每个 batch 错位。</translation>
    </message>
    <message>
        <source>With DataLoader workers __iter__ runs twice before the first batch, so one permutation is drawn and discarded.</source>
        <translation>使用 DataLoader 的 worker 时，__iter__ 在第一个 batch 之前运行两次，因此会抽取并丢弃一个排列。</translation>
    </message>
    <message>
        <source>A batch may hold a secondary sample twice, where one permutation ends and the next begins.</source>
        <translation>在一个排列结束、下一个排列开始的地方，一个 batch 可能包含同一个次样本两次。</translation>
    </message>
    <message>
        <source>The first ranks get one sample more, and a collective in the last step hangs (datasets#6437, PR 7854).</source>
        <translation>前面的 rank 多得到一个样本，最后一个 step 的集合通信会挂起（datasets#6437、PR 7854）。</translation>
    </message>
    <message>
        <source>With fewer samples than ranks, a rank without samples raises an IndexError in select() (datasets#7443, #8190).</source>
        <translation>样本数少于 rank 数时，没有样本的 rank 会在 select() 中引发 IndexError（datasets#7443、#8190）。</translation>
    </message>
    <message>
        <source>shuffle() without a seed takes NumPy&apos;s global one: ranks that seeded NumPy differently share samples.</source>
        <translation>没有种子的 shuffle() 使用 NumPy 的全局种子：NumPy 种子不同的 rank 会共享样本。</translation>
    </message>
    <message>
        <source>shuffle() is called once: every epoch has the same order unless the script shuffles again.</source>
        <translation>只调用一次 shuffle()：除非脚本再次打乱，每个 epoch 的顺序都相同。</translation>
    </message>
    <message>
        <source>After the split, the same seed gives all parts of equal size the same permutation.</source>
        <translation>划分之后，相同的种子会给所有大小相等的部分相同的排列。</translation>
    </message>
    <message>
        <source>Without split_dataset_by_node every rank reads the whole dataset (datasets#5360).</source>
        <translation>没有 split_dataset_by_node 时，每个 rank 都读取整个数据集（datasets#5360）。</translation>
    </message>
    <message>
        <source>shuffle() cuts num_shards to the fewest of its ten sources, 1 below 20 shards (since 5.0, datasets#8669).</source>
        <translation>shuffle() 会把 num_shards 减到其十个来源中最少的数量，少于 20 个 shard 时为 1（自 5.0 起，datasets#8669）。</translation>
    </message>
    <message>
        <source>With num_shards cut to 1 one worker reads everything, and each rank all of the stream (datasets#8669).</source>
        <translation>num_shards 减为 1 时，由一个 worker 读取全部，每个 rank 都读取整条流（datasets#8669）。</translation>
    </message>
    <message>
        <source>Where the world size does not divide num_shards, ranks read everything and keep one sample of world size.</source>
        <translation>当 world size 不整除 num_shards 时，各 rank 读取全部数据，每 world size 个样本保留一个。</translation>
    </message>
    <message>
        <source>With more workers than num_shards, the surplus workers stop at once (datasets#7999).</source>
        <translation>worker 数多于 num_shards 时，多余的 worker 会立即停止（datasets#7999）。</translation>
    </message>
    <message>
        <source>shuffle() without a seed draws one on each rank: some shards are read twice and others never (datasets#5696).</source>
        <translation>没有种子的 shuffle() 在每个 rank 上各抽取一个：有些 shard 读取两次，有些从不读取（datasets#5696）。</translation>
    </message>
    <message>
        <source>Ranks have uneven numbers of samples, and a collective in the last step hangs (datasets#6437, PR 7854).</source>
        <translation>各 rank 的样本数不均，最后一个 step 的集合通信会挂起（datasets#6437、PR 7854）。</translation>
    </message>
    <message>
        <source>set_epoch(1) and later shuffle the shards by that number alone, whatever the seed, even without shuffle().</source>
        <translation>set_epoch(1) 及之后只用该数打乱 shard，与种子无关，即使没有 shuffle()。</translation>
    </message>
    <message>
        <source>With a buffer much smaller than a shard, neighbours stay together.</source>
        <translation>缓冲区比 shard 小很多时，相邻的样本仍会在一起。</translation>
    </message>
    <message>
        <source>Samples that do not fill a batch wait in a buffer of their group, even across epochs.</source>
        <translation>填不满一个 batch 的样本会在其组的缓冲区中等待，甚至跨越 epoch。</translation>
    </message>
    <message>
        <source>Ranks fill batches at different times: their numbers of batches in an epoch of the plan differ.</source>
        <translation>各 rank 在不同时刻填满 batch：它们在计划的一个 epoch 中的 batch 数不同。</translation>
    </message>
    <message>
        <source>Ranks have uneven numbers of samples: a collective in the last step hangs.</source>
        <translation>各 rank 的样本数不均：最后一个 step 的集合通信会挂起。</translation>
    </message>
    <message>
        <source>Laps differ in length, so each lap begins on a different rank.</source>
        <translation>各轮长度不同，因此每一轮从不同的 rank 开始。</translation>
    </message>
    <message>
        <source>A sample with a factor below 1 is left out of some laps.</source>
        <translation>因子小于 1 的样本在某些轮中会被略过。</translation>
    </message>
    <message>
        <source>The stream has no epochs: when the world size does not divide the dataset, each lap begins on a different rank.</source>
        <translation>流没有 epoch：当 world size 不整除数据集时，每一轮从不同的 rank 开始。</translation>
    </message>
    <message>
        <source>A resumed run reads the stream from its beginning again.</source>
        <translation>续训会从头再读这条流。</translation>
    </message>
    <message>
        <source>Samples outside the part are never seen.</source>
        <translation>该部分之外的样本永远不会被读取。</translation>
    </message>
    <message>
        <source>Ranks with too few batches get empty ones at the end: the model must skip them.</source>
        <translation>batch 太少的 rank 在末尾得到空的 batch：模型必须跳过它们。</translation>
    </message>
    <message>
        <source>The same samples share a batch in every epoch: only the order of the batches changes.</source>
        <translation>每个 epoch 中都是同样的样本在同一个 batch：只有 batch 的顺序改变。</translation>
    </message>
    <message>
        <source>With fix_batches_to_gpus and supports_prefetch the rank is added to the seed: rank r + 1 with seed s shuffles as rank r does with seed s + 1.</source>
        <translation>使用 fix_batches_to_gpus 和 supports_prefetch 时，rank 会加到种子上：rank r + 1 用种子 s 的打乱结果与 rank r 用种子 s + 1 相同。</translation>
    </message>
    <message>
        <source>fix_batches_to_gpus has no effect for a dataset without supports_prefetch.</source>
        <translation>对没有 supports_prefetch 的数据集，fix_batches_to_gpus 没有作用。</translation>
    </message>
    <message>
        <source>grouped_shuffling drops the batches that do not fill a group.</source>
        <translation>grouped_shuffling 会丢弃填不满一组的 batch。</translation>
    </message>
    <message>
        <source>A second pass over the loader repeats the same order: epochs are counted inside one pass, by num_epochs.</source>
        <translation>第二次遍历加载器会重复相同的顺序：epoch 在一次遍历之内由 num_epochs 计数。</translation>
    </message>
    <message>
        <source>A rank only ever sees its own part of the records: the shuffle does not cross ranks.</source>
        <translation>一个 rank 始终只看到自己那部分记录：打乱不会跨 rank。</translation>
    </message>
    <message>
        <source>With more ranks than records, a rank without records raises ZeroDivisionError, unless drop_remainder is set.</source>
        <translation>rank 数多于记录数时，除非设置了 drop_remainder，没有记录的 rank 会引发 ZeroDivisionError。</translation>
    </message>
    <message>
        <source>Without drop_remainder, ranks with one record less begin their next pass early, to yield the same number of items.</source>
        <translation>没有 drop_remainder 时，少一条记录的 rank 会提前开始下一遍，以给出相同数量的项。</translation>
    </message>
    <message>
        <source>A part of exactly 2^k + 1 records, k even and at least 16 (65,537; 262,145), yields one record twice and another never: the last index falls out of the shuffle&apos;s block.</source>
        <translation>恰好有 2^k + 1 条记录的部分（k 为偶数且至少为 16：65,537；262,145）会给出一条记录两次而另一条从不给出：最后一个索引落在打乱的块之外。</translation>
    </message>
    <message>
        <source>Ranks share samples unless the inner sampler draws the same on every rank: use equal seeds (pytorch-lightning#10946, #12866, accelerate#2865).</source>
        <translation>除非内层采样器在每个 rank 上抽取的相同，否则各 rank 会共享样本：请使用相同的种子（pytorch-lightning#10946、#12866、accelerate#2865）。</translation>
    </message>
    <message>
        <source>In training the Trainer always permutes, so a curriculum or a sorted order is lost; the wrapper&apos;s documentation says that shuffle has no effect, which is wrong (pytorch-lightning#21131, #10170).</source>
        <translation>训练时 Trainer 总是排列，因此课程顺序或排好的顺序会丢失；包装器的文档说 shuffle 没有作用，这是错的（pytorch-lightning#21131、#10170）。</translation>
    </message>
    <message>
        <source>Before a WeightedRandomSampler was wrapped it was silently replaced (pytorch-lightning#1995).</source>
        <translation>WeightedRandomSampler 在支持包装之前会被悄悄替换（pytorch-lightning#1995）。</translation>
    </message>
    <message>
        <source>seed and drop_last are ignored: the epoch alone seeds the permutation.</source>
        <translation>忽略 seed 和 drop_last：排列的种子只取决于 epoch。</translation>
    </message>
    <message>
        <source>set_epoch is not forwarded to the inner sampler.</source>
        <translation>set_epoch 不会转发给内层采样器。</translation>
    </message>
    <message>
        <source>With fewer samples than ranks the constructor fails an assertion on the ranks that would get none.</source>
        <translation>样本数少于 rank 数时，构造函数会在得不到样本的 rank 上断言失败。</translation>
    </message>
    <message>
        <source>Ranks may get one batch more or less, which hangs training; and with fewer samples than ranks the constructor fails an assertion on the ranks that would get none.</source>
        <translation>各 rank 可能多一个或少一个 batch，使训练挂起；样本数少于 rank 数时，构造函数会在得不到样本的 rank 上断言失败。</translation>
    </message>
    <message>
        <source>Trainer.predict puts it, wrapped around the loader&apos;s sampler, into every loader on several devices (it comes from pytorch#25162).</source>
        <translation>Trainer.predict 在多个设备上会把它包在加载器的采样器外面，放入每个加载器（它来自 pytorch#25162）。</translation>
    </message>
    <message>
        <source>Ranks have uneven numbers of steps when the dataset&apos;s size is not a multiple of the data-parallel size: a collective in the last step hangs.</source>
        <translation>当数据集大小不是数据并行大小的倍数时，各 rank 的 step 数不均：最后一个 step 的集合通信会挂起。</translation>
    </message>
    <message>
        <source>The micro batch size of the loader is not used.</source>
        <translation>不使用加载器的 micro batch 大小。</translation>
    </message>
    <message>
        <source>The seed is the epoch number alone: every run has the same order.</source>
        <translation>种子只是 epoch 编号：每次运行的顺序都相同。</translation>
    </message>
    <message>
        <source>With data_sharding all ranks use the same permutation inside their parts, and no rank ever sees another rank&apos;s part.</source>
        <translation>使用 data_sharding 时，所有 rank 在各自的部分内使用相同的排列，任何 rank 都看不到其他 rank 的部分。</translation>
    </message>
    <message>
        <source>Another data-parallel size or micro batch after a checkpoint changes the rest of the epoch: some samples are repeated, some are never read.</source>
        <translation>在 checkpoint 之后改变数据并行大小或 micro batch 会改变该 epoch 的剩余部分：有些样本重复，有些从不读取。</translation>
    </message>
    <message>
        <source>If consumed_samples is not a multiple of micro_batch_size times the data-parallel size within its epoch, an assertion without a message fails.</source>
        <translation>如果 consumed_samples 在其 epoch 内不是 micro_batch_size 乘以数据并行大小的倍数，会触发没有消息的断言失败。</translation>
    </message>
    <message>
        <source>A dataset smaller than one step causes a division by zero.</source>
        <translation>比一个 step 还小的数据集会导致除以零。</translation>
    </message>
    <message>
        <source>len() is the number of samples, not of batches.</source>
        <translation>len() 是样本数，而不是 batch 数。</translation>
    </message>
    <message>
        <source>With drop_last off, ranks get a short or an empty micro batch in the last step.</source>
        <translation>关闭 drop_last 时，各 rank 在最后一个 step 得到不满或空的 micro batch。</translation>
    </message>
    <message>
        <source>It does not shuffle: in Megatron-LM the dataset&apos;s own index does.</source>
        <translation>它不打乱：在 Megatron-LM 中由数据集自己的索引打乱。</translation>
    </message>
    <message>
        <source>Another data-parallel size or micro batch after a checkpoint gives the rest to other ranks; nothing is lost or repeated as long as consumed_samples is right.</source>
        <translation>在 checkpoint 之后改变数据并行大小或 micro batch 会把剩余部分交给其他 rank；只要 consumed_samples 正确，就不会丢失或重复。</translation>
    </message>
    <message>
        <source>A global batch that is not a multiple of micro_batch_size times the data-parallel size is rounded down; if it is smaller than that, nothing is read.</source>
        <translation>如果全局 batch 不是 micro_batch_size 乘以数据并行大小的倍数，就会向下取整；比它还小时，不读取任何数据。</translation>
    </message>
    <message>
        <source>round_up = false gives ranks different lengths: a collective in each step then waits forever.</source>
        <translation>round_up = false 使各 rank 的长度不同：每个 step 中的集合通信会永远等待。</translation>
    </message>
    <message>
        <source>With round_up, an empty dataset causes a division by zero when it is iterated.</source>
        <translation>使用 round_up 时，空数据集在迭代时会导致除以零。</translation>
    </message>
    <message>
        <source>set_epoch does nothing: the stream continues where the last iteration stopped.</source>
        <translation>set_epoch 不起作用：流从上次迭代停止的地方继续。</translation>
    </message>
    <message>
        <source>It saves no position: a resumed run reads the stream from its beginning again.</source>
        <translation>它不保存位置：续训会从头再读这条流。</translation>
    </message>
    <message>
        <source>When the world size does not divide the dataset, each lap begins on a different rank.</source>
        <translation>当 world size 不整除数据集时，每一轮从不同的 rank 开始。</translation>
    </message>
    <message>
        <source>Semi-supervised</source>
        <translation>半监督</translation>
    </message>
    <message>
        <source>Class balance</source>
        <translation>类别平衡</translation>
    </message>
    <message>
        <source>Metric learning</source>
        <translation>度量学习</translation>
    </message>
    <message>
        <source>labels</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>lengths</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>shards</source>
        <translation>shard</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>repeat factors</source>
        <translation>重复因子</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>一个列表</translation>
    </message>
    <message>
        <source>two lists</source>
        <translation>两个列表</translation>
    </message>
    <message>
        <source>every sample of the dataset</source>
        <translation>数据集的每个样本</translation>
    </message>
    <message>
        <source>the first half of the dataset</source>
        <translation>数据集的前一半</translation>
    </message>
    <message>
        <source>the second half of the dataset</source>
        <translation>数据集的后一半</translation>
    </message>
    <message>
        <source>ten classes in turn</source>
        <translation>十个类别轮流出现</translation>
    </message>
    <message>
        <source>lengths from 8 to 512</source>
        <translation>长度从 8 到 512</translation>
    </message>
    <message>
        <source>two equal shards for each worker</source>
        <translation>每个 worker 两个大小相等的 shard</translation>
    </message>
    <message>
        <source>The dataset needs the loader&apos;s batch_size: with another one the batches mix what the dataset keeps apart, and a resumed run begins in the wrong place; without one it raises when iterated.</source>
        <translation>数据集需要加载器的 batch_size：值不同时，batch 会混合数据集要分开的内容，续训也会从错误的位置开始；没有它则在迭代时引发异常。</translation>
    </message>
    <message>
        <source>The order is the same for another number of nodes only while the global batch size stays the same (PR 476) and num_canonical_nodes is set: by default it follows the nodes of the first run, 64 times with py1s and py2s (PR 479).</source>
        <translation>只有在全局 batch 大小不变（PR 476）且设置了 num_canonical_nodes 时，换一个节点数后顺序才相同：默认情况下它取第一次运行的节点数，使用 py1s 和 py2s 时为其 64 倍（PR 479）。</translation>
    </message>
    <message>
        <source>Canonical nodes of uneven size repeat their last sample, and with fewer samples than canonical nodes the dataset is repeated over and over (#380).</source>
        <translation>大小不均的 canonical nodes 会重复最后一个样本；样本数少于 canonical nodes 时，数据集会反复重复（#380）。</translation>
    </message>
    <message>
        <source>num_canonical_nodes must divide the number of nodes or be a multiple of it; otherwise iterating raises.</source>
        <translation>num_canonical_nodes 必须整除节点数，或是节点数的倍数；否则迭代时会引发异常。</translation>
    </message>
    <message>
        <source>per_stream and device_per_stream drop batches that are not full, and stratified drops the rest of the longer streams, with only a line in the log.</source>
        <translation>per_stream 和 device_per_stream 会丢弃不满的 batch，stratified 会丢弃较长的流的剩余部分，日志中只有一行提示。</translation>
    </message>
    <message>
        <source>sample_in_epoch counts samples of all ranks: a state saved by a loader that does not count them resumes in the wrong place.</source>
        <translation>sample_in_epoch 计算所有 rank 的样本：由不计数它们的加载器保存的状态会从错误的位置恢复。</translation>
    </message>
    <message>
        <source>Padding repeats the first samples, so validation counts them twice.</source>
        <translation>填充会重复最前面的样本，因此验证会把它们计算两次。</translation>
    </message>
    <message>
        <source>It pads only once: with more than twice as many ranks as samples an assertion fails.</source>
        <translation>它只填充一次：rank 数超过样本数的两倍时会触发断言失败。</translation>
    </message>
    <message>
        <source>A dataset of fewer than selected_round samples gives empty epochs.</source>
        <translation>样本数少于 selected_round 的数据集会得到空的 epoch。</translation>
    </message>
    <message>
        <source>The seed is the epoch alone: no seed of yours changes the order.</source>
        <translation>种子只是 epoch：你设置的种子都无法改变顺序。</translation>
    </message>
    <message>
        <source>An epoch sees only about 1/num_repeats of the dataset&apos;s samples.</source>
        <translation>一个 epoch 只看到数据集中约 1/num_repeats 的样本。</translation>
    </message>
    <message>
        <source>Without set_epoch every epoch has the same order (pytorch#11324, #31771, #40043).</source>
        <translation>没有 set_epoch 时，每个 epoch 的顺序都相同（pytorch#11324、#31771、#40043）。</translation>
    </message>
    <message>
        <source>With local_rank passed as rank, all nodes read the same slices (DeepLearningExamples#159).</source>
        <translation>把 local_rank 当作 rank 传入时，所有节点读取相同的切片（DeepLearningExamples#159）。</translation>
    </message>
    <message>
        <source>Padding repeats samples, which distorts evaluation (pytorch#25162).</source>
        <translation>填充会重复样本，使评估失真（pytorch#25162）。</translation>
    </message>
    <message>
        <source>Seed s in epoch e+1 gives the order of seed s+1 in epoch e, so a sweep over seeds 0, 1, 2 sees shifted copies.</source>
        <translation>种子 s 在 epoch e+1 的顺序就是种子 s+1 在 epoch e 的顺序，因此用种子 0、1、2 做对比看到的是错位的副本。</translation>
    </message>
    <message>
        <source>Without get_worker_info() in __iter__ each worker yields every sample: an epoch repeats the dataset num_workers times.</source>
        <translation>__iter__ 中没有 get_worker_info() 时，每个 worker 都给出所有样本：一个 epoch 会把数据集重复 num_workers 次。</translation>
    </message>
    <message>
        <source>drop_last drops one short batch per worker, not one per rank.</source>
        <translation>drop_last 为每个 worker 丢弃一个不满的 batch，而不是每个 rank 一个。</translation>
    </message>
    <message>
        <source>Nothing divides the stream between ranks unless the dataset does, and uneven parts leave some ranks waiting.</source>
        <translation>除非数据集自己划分，否则没有任何东西在 rank 之间划分这条流；份额不均时有些 rank 会一直等待。</translation>
    </message>
    <message>
        <source>Every rank reads the whole list: nothing divides it between them.</source>
        <translation>每个 rank 都读取整个列表：没有任何东西在它们之间划分。</translation>
    </message>
    <message>
        <source>Lightning&apos;s Trainer wraps it in a DistributedSamplerWrapper and permutes it in training: a handmade order, such as a curriculum, is lost (pytorch-lightning#10170, #21131).</source>
        <translation>Lightning 的 Trainer 用 DistributedSamplerWrapper 包装它，并在训练时排列：手工安排的顺序（如课程学习）会丢失（pytorch-lightning#10170、#21131）。</translation>
    </message>
    <message>
        <source>Ranks with equal torch seeds draw identical batches; ranks with different seeds overlap by chance: nothing divides the dataset (pytorch-lightning#10946, #12866).</source>
        <translation>torch 种子相同的 rank 抽到完全相同的 batch；种子不同的 rank 会偶然重叠：没有任何东西划分数据集（pytorch-lightning#10946、#12866）。</translation>
    </message>
    <message>
        <source>Lightning replaces it with a DistributedSampler and loses replacement, num_samples and the generator.</source>
        <translation>Lightning 用 DistributedSampler 替换它，并丢失 replacement、num_samples 和生成器。</translation>
    </message>
    <message>
        <source>The seed comes from the global stream: anything else that draws from torch before changes the order.</source>
        <translation>种子来自全局流：之前任何其他从 torch 抽取的操作都会改变顺序。</translation>
    </message>
    <message>
        <source>Every rank reads the whole dataset: nothing divides it between them.</source>
        <translation>每个 rank 都读取整个数据集：没有任何东西在它们之间划分。</translation>
    </message>
    <message>
        <source>Lightning replaces it with a DistributedSampler, and shuffles in training (pytorch-lightning#21131).</source>
        <translation>Lightning 用 DistributedSampler 替换它，并在训练时打乱（pytorch-lightning#21131）。</translation>
    </message>
    <message>
        <source>Every rank draws the whole list: nothing divides it between them.</source>
        <translation>每个 rank 都抽取整个列表：没有任何东西在它们之间划分。</translation>
    </message>
    <message>
        <source>It permutes with the global generator: anything else that draws from torch changes the order.</source>
        <translation>它用全局生成器排列：任何其他从 torch 抽取的操作都会改变顺序。</translation>
    </message>
    <message>
        <source>Every rank draws from all samples: nothing divides them, and ranks with equal torch seeds draw identical batches (pytorch#77154, #23430).</source>
        <translation>每个 rank 都从全部样本中抽取：没有任何东西划分它们；torch 种子相同的 rank 抽到完全相同的 batch（pytorch#77154、#23430）。</translation>
    </message>
    <message>
        <source>Without replacement, PyTorch 2.0 to 2.6 with MKL (the usual x86 wheel) draws from a stream of MKL that the generator only seeds: the same seed gives another order without MKL (pytorch#132395, #148247). This order is checked against published outputs of float32 weights.</source>
        <translation>不放回时，带 MKL 的 PyTorch 2.0 至 2.6（常见的 x86 wheel）从 MKL 的随机流抽取，给它的生成器只提供种子：没有 MKL 时，相同的种子给出另一个顺序（pytorch#132395、#148247）。此顺序已用公开的 float32 权重输出核对。</translation>
    </message>
    <message>
        <source>Without replacement, samples of weight zero are used when num_samples exceeds the number of other samples; their order depends on the standard library.</source>
        <translation>不放回时，如果 num_samples 超过其他样本的数量，会用到权重为零的样本；它们的顺序取决于标准库。</translation>
    </message>
    <message>
        <source>More than 2^24 weights are refused.</source>
        <translation>拒绝超过 2^24 个权重。</translation>
    </message>
    <message>
        <source>Another world size is not supported: the count is per rank, and the strides no longer fit.</source>
        <translation>不支持改变 world size：计数是按 rank 的，步长不再匹配。</translation>
    </message>
    <message>
        <source>Without set_epoch, the epoch after a resumed one repeats its order.</source>
        <translation>没有 set_epoch 时，续训之后的那个 epoch 会重复其顺序。</translation>
    </message>
    <message>
        <source>Every rank draws the whole dataset, and equal seeds give the same order: nothing divides it.</source>
        <translation>每个 rank 都抽取整个数据集，种子相同则顺序相同：没有任何东西划分它。</translation>
    </message>
    <message>
        <source>It always draws whole chunks, so its generator ends in a different state than torch.RandomSampler&apos;s: from the second epoch on, the orders differ.</source>
        <translation>它总是抽取整块，因此其生成器结束时的状态与 torch.RandomSampler 不同：从第二个 epoch 起，顺序就不同了。</translation>
    </message>
    <message>
        <source>Older releases seed it with 1 when no generator is given: every run has the same order.</source>
        <translation>旧版本在没有给出生成器时以 1 为种子：每次运行的顺序都相同。</translation>
    </message>
    <message>
        <source>Every rank repeats samples at the end of its epoch, in addition to DistributedSampler&apos;s padding.</source>
        <translation>除了 DistributedSampler 的填充之外，每个 rank 在其 epoch 末尾还会重复样本。</translation>
    </message>
    <message>
        <source>The end is filled up with the first samples: metrics count them twice unless they are cut off (transformers gathers and truncates).</source>
        <translation>末尾用最前面的样本补齐：除非将其截掉，否则指标会把它们计算两次（transformers 会收集并截断）。</translation>
    </message>
    <message>
        <source>It pads only once: a dataset smaller than its padding fails an assertion.</source>
        <translation>它只填充一次：小于所需填充量的数据集会触发断言失败。</translation>
    </message>
    <message>
        <source>Contiguous blocks of a sorted dataset give the ranks very different amounts of work.</source>
        <translation>按顺序排列的数据集切成连续的块，会使各 rank 的工作量相差很大。</translation>
    </message>
    <message>
        <source>Only a quarter of the dataset, or fifty batches, is sorted together: lengths in a batch are similar, not equal.</source>
        <translation>只有数据集的四分之一或五十个 batch 会一起排序：batch 内的长度相近，但不相等。</translation>
    </message>
    <message>
        <source>Every rank draws the whole dataset: nothing divides it between them.</source>
        <translation>每个 rank 都抽取整个数据集：没有任何东西在它们之间划分。</translation>
    </message>
    <message>
        <source>It pads only once: when the ranks need more padding than there are samples, an assertion without a message fails.</source>
        <translation>它只填充一次：当各 rank 需要的填充多于样本数时，会触发没有消息的断言失败。</translation>
    </message>
    <message>
        <source>Ranks read every world-size-th sample of a batch of similar lengths: the lengths in one rank&apos;s batches are less similar.</source>
        <translation>各 rank 从长度相近的一个 batch 中每 world size 个样本取一个：同一个 rank 的 batch 内的长度不那么相近。</translation>
    </message>
    <message>
        <source>With fewer shards than workers of all ranks, some have nothing to read, and DDP hangs or raises (webdataset#188, #65, #225).</source>
        <translation>shard 数少于所有 rank 的 worker 总数时，有些 worker 没有可读的内容，DDP 会挂起或引发异常（webdataset#188、#65、#225）。</translation>
    </message>
    <message>
        <source>Shards are not balanced: ranks differ by whole shards.</source>
        <translation>shard 没有均衡：各 rank 会相差整个 shard。</translation>
    </message>
    <message>
        <source>A shuffle() before the split is seeded by time and process id, so ranks disagree on the order of shards, and read some twice and others never (webdataset#233).</source>
        <translation>划分之前的 shuffle() 以时间和进程 id 为种子，因此各 rank 的 shard 顺序不一致，有些读取两次，有些从不读取（webdataset#233）。</translation>
    </message>
    <message>
        <source>shuffle by a seed repeats the same order in every epoch; detshuffle does too with workers that are not persistent, because each new worker counts its epochs from 0.</source>
        <translation>用种子 shuffle 时每个 epoch 重复相同的顺序；worker 不持久时 detshuffle 也一样，因为每个新的 worker 都从 0 开始计数 epoch。</translation>
    </message>
    <message>
        <source>deterministic is false by default: no two runs draw the same shards.</source>
        <translation>deterministic 默认为 false：任意两次运行抽取的 shard 都不同。</translation>
    </message>
    <message>
        <source>Workers are seeded by rank * 1000 + worker, which collides from 1000 workers on.</source>
        <translation>worker 的种子为 rank * 1000 + worker，从 1000 个 worker 起会冲突。</translation>
    </message>
    <message>
        <source>An epoch repeats some shards and leaves others out: nothing splits them.</source>
        <translation>一个 epoch 会重复某些 shard 并略过另一些：没有任何东西划分它们。</translation>
    </message>
    <message>
        <source>Workers that are not persistent count their epochs from 0, so every epoch draws the same shards.</source>
        <translation>不持久的 worker 从 0 开始计数 epoch，因此每个 epoch 抽取的 shard 都相同。</translation>
    </message>
    <message>
        <source>The batches that a job read, as they were recorded: shardlens capture writes them where no known sampler gives them.</source>
        <translation>作业读取的 batch，与记录一致：当没有已知采样器能给出它们时，由 shardlens capture 写入。</translation>
    </message>
    <message>
        <source>It says what was read, not why: what another epoch, seed, batch size or number of ranks would read is not known.</source>
        <translation>它说明读取了什么，而不说明原因：换一个 epoch、种子、batch 大小或 rank 数量会读取什么是未知的。</translation>
    </message>
    <message>
        <source>An epoch that the job did not finish, or a rank that was not observed, has only the batches that were recorded.</source>
        <translation>作业没有读完的 epoch，或没有被观察到的 rank，只有已记录的 batch。</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>已记录</translation>
    </message>
    <message>
        <source>three lists</source>
        <translation>三个列表</translation>
    </message>
    <message>
        <source>every sample of the dataset, in each epoch</source>
        <translation>每个 epoch 中数据集的全部样本</translation>
    </message>
    <message>
        <source>batches of one sample</source>
        <translation>每个 batch 一个样本</translation>
    </message>
    <message>
        <source>equal pieces for all ranks</source>
        <translation>所有 rank 各得相等的一份</translation>
    </message>
    <message>
        <source>Makes torch&apos;s DistributedSampler for Composer&apos;s Trainer, without shuffling by default.</source>
        <translation>为 Composer 的 Trainer 创建 torch 的 DistributedSampler，默认不打乱。</translation>
    </message>
    <message>
        <source>It does not shuffle unless shuffle is given, not even for training.</source>
        <translation>除非给出 shuffle，否则它不打乱，训练时也不例外。</translation>
    </message>
    <message>
        <source>The seed of the Trainer does not reach it: without seed every run has the same orders.</source>
        <translation>Trainer 的种子传不到它：不给出 seed 时，每次运行的顺序都相同。</translation>
    </message>
    <message>
        <source>Padding repeats samples, which distorts an evaluation that does not leave them out.</source>
        <translation>补齐会重复样本；评估时若不剔除它们，结果会失真。</translation>
    </message>
    <message>
        <source>With distributed=True, torch&apos;s DistributedSampler draws instead of NumPy: one GPU and several have different orders for the same seed.</source>
        <translation>distributed=True 改用 torch 的 DistributedSampler 而不是 NumPy 抽取：同一种子在单 GPU 和多 GPU 上的顺序不同。</translation>
    </message>
    <message>
        <source>Reads the samples of the file, or of a list, in their order; FFCV&apos;s order for evaluation.</source>
        <translation>按顺序读取文件或列表中的样本；FFCV 用于评估的顺序。</translation>
    </message>
    <message>
        <source>distributed=True repeats samples so that ranks come out even, which distorts evaluation.</source>
        <translation>distributed=True 会重复样本使各 rank 数量相同，这会使评估失真。</translation>
    </message>
    <message>
        <source>Before FFCV 0.0.3, a given list of indices was ignored (ffcv#90).</source>
        <translation>FFCV 0.0.3 之前不理会给出的 indices 列表（ffcv#90）。</translation>
    </message>
    <message>
        <source>Permutes the samples of the file, or of a list, with seed + epoch.</source>
        <translation>以 seed + epoch 排列文件或列表中的样本。</translation>
    </message>
    <message>
        <source>Without a seed each process draws one of its own: ranks then overlap.</source>
        <translation>没有种子时每个进程各抽一个种子，各 rank 的样本会重叠。</translation>
    </message>
    <message>
        <source>Draws samples at random from as many pages of the file as two batches have samples; a page is an entry of dataset.shards.</source>
        <translation>从与两个 batch 的样本数一样多的页中随机抽取样本；dataset.shards 的一项就是一页。</translation>
    </message>
    <message>
        <source>Each call shuffles the stored pages in place: the order of an epoch depends on all calls before, and a run resumed by setting next_epoch gets another one.</source>
        <translation>每次调用都会就地打乱保存的页：一个 epoch 的顺序取决于之前的所有调用，通过设置 next_epoch 恢复的运行会得到另一种顺序。</translation>
    </message>
    <message>
        <source>It refuses distributed=True (ffcv#92): every rank reads the whole file.</source>
        <translation>它拒绝 distributed=True（ffcv#92）：每个 rank 都读取整个文件。</translation>
    </message>
    <message>
        <source>Draws another sampler&apos;s passes with torch.manual_seed(epoch) on every rank and divides them among the ranks; what Ignite&apos;s auto_dataloader puts around a sampler.</source>
        <translation>在每个 rank 上以 torch.manual_seed(epoch) 抽取另一个采样器的若干遍，再划分给各 rank；Ignite 的 auto_dataloader 会这样包装采样器。</translation>
    </message>
    <message>
        <source>It seeds torch&apos;s global generator with the epoch on every rank: whatever else draws from torch, such as dropout, then draws the same on all ranks and in every run.</source>
        <translation>它在每个 rank 上用 epoch 给 torch 的全局生成器设种子：其他使用 torch 随机数的代码（例如 dropout）从此在所有 rank 和每次运行中抽到相同的值。</translation>
    </message>
    <message>
        <source>No seed of the script changes the order.</source>
        <translation>脚本的任何种子都不会改变顺序。</translation>
    </message>
    <message>
        <source>What it adds so that ranks come out even is the beginning of a second pass, not a repetition of the first: a shuffled pass that does not divide evenly costs a second draw.</source>
        <translation>为使各 rank 数量相同而补上的是第二遍的开头，而不是重复第一遍：不能整除的打乱遍要多抽取一次。</translation>
    </message>
    <message>
        <source>A sampler with a generator of its own is not seeded again: its order depends on the passes made before, and a restart begins with the first one.</source>
        <translation>有自己生成器的采样器不会被重新设种子：它的顺序取决于之前的各遍，重新启动后从第一遍开始。</translation>
    </message>
    <message>
        <source>Cuts the chunks of an optimized dataset between the workers of all ranks, in whole batches, and shuffles chunks and the items in them.</source>
        <translation>把优化后的数据集的数据块按整个 batch 切分给所有 rank 的 worker，并打乱数据块和其中的样本。</translation>
    </message>
    <message>
        <source>With shuffle on several nodes, a chunk that the first epoch cuts between two nodes is read whole by both from the second epoch on: its items come twice.</source>
        <translation>在多个节点上打乱时，被第一个 epoch 切到两个节点的数据块，从第二个 epoch 起会被两个节点完整读取：其中的样本出现两次。</translation>
    </message>
    <message>
        <source>Another number of ranks or workers, or another batch size, moves every cut: a resumed run continues only with the same ones.</source>
        <translation>改变 rank 数、worker 数或 batch 大小会移动所有切口：恢复运行只有在它们不变时才能接上。</translation>
    </message>
    <message>
        <source>With drop_last off, all that is left goes to one worker of the last rank, which then has more batches than the others.</source>
        <translation>关闭 drop_last 时，剩下的样本全部归最后一个 rank 的某个 worker，它的 batch 会比其他 worker 多。</translation>
    </message>
    <message>
        <source>It divides the dataset among the ranks by itself, and no argument switches that off (litData#368).</source>
        <translation>它自己在各 rank 之间划分数据集，没有参数可以关闭（litData#368）。</translation>
    </message>
    <message>
        <source>Deals whole global batches for fine-tuning: sample by sample to the ranks in turn, all micro batches of a rank at once.</source>
        <translation>为微调分发整个全局 batch：样本轮流分给各 rank，一个 rank 的所有 micro batch 一次给出。</translation>
    </message>
    <message>
        <source>Without a seed, processes that seed torch apart (pipeline stages of different models) permute differently, and ranks read shares of different orders.</source>
        <translation>没有种子时，给 torch 设不同种子的进程（例如不同模型的流水线阶段）会得到不同的排列，各 rank 读取的是不同顺序的份额。</translation>
    </message>
    <message>
        <source>With drop_last the epochs are counted in whole global batches: consumed_samples of another global batch size begins in the middle of one, and may read into the tail that is dropped otherwise.</source>
        <translation>打开 drop_last 时，epoch 按整个全局 batch 计数：另一种全局 batch 大小的 consumed_samples 会从中间开始，并可能读到平时舍去的尾部。</translation>
    </message>
    <message>
        <source>With drop_last and padding off, a last global batch smaller than the number of ranks leaves the last ranks an empty batch.</source>
        <translation>关闭 drop_last 且不填充时，若最后一个全局 batch 的样本比 rank 少，最后几个 rank 会得到空的 batch。</translation>
    </message>
    <message>
        <source>Before PR 4601 the offset of a resumed run was applied again in every later epoch.</source>
        <translation>在 PR 4601 之前，恢复运行的偏移会在之后的每个 epoch 再次生效。</translation>
    </message>
    <message>
        <source>Megatron-LM&apos;s MegatronPretrainingRandomSampler, and what Megatron-Bridge made of it on 2026-09-03: one permutation of the whole dataset, cut to whole steps.</source>
        <translation>Megatron-LM 的 MegatronPretrainingRandomSampler，以及 Megatron-Bridge 在 2026-09-03 的改动：对整个数据集做一个排列，再截到整数个 step。</translation>
    </message>
    <message>
        <source>Before PR 5944, with data_sharding off, ranks can get different numbers of batches; their counts of consumed samples, and then their epochs, part.</source>
        <translation>在 PR 5944 之前，关闭 data_sharding 时各 rank 的 batch 数可能不同；它们已消费样本的计数乃至 epoch 随之分开。</translation>
    </message>
    <message>
        <source>The rule since PR 5944 is taken from its description: no recorded outputs of that release judge it.</source>
        <translation>PR 5944 之后的规则取自它的说明：没有该版本的记录输出可以核对。</translation>
    </message>
    <message>
        <source>Megatron-LM&apos;s MegatronPretrainingSampler, which with drop_last off refuses a last step that is not full on every rank.</source>
        <translation>Megatron-LM 的 MegatronPretrainingSampler；关闭 drop_last 时，如果最后一个 step 不能让每个 rank 都满，它会拒绝。</translation>
    </message>
    <message>
        <source>drop_last off raises a ValueError before the first batch if the rest of the dataset is no whole number of steps and there are several ranks (Megatron-Bridge PR 5527).</source>
        <translation>关闭 drop_last 时，如果数据集剩下的部分不是整数个 step 且有多个 rank，会在第一个 batch 之前引发 ValueError（Megatron-Bridge PR 5527）。</translation>
    </message>
    <message>
        <source>It does not shuffle.</source>
        <translation>它不打乱。</translation>
    </message>
    <message>
        <source>Makes batches of images that are all tall or all wide, out of DefaultSampler or of the dataset in order.</source>
        <translation>从 DefaultSampler 或按顺序读取的数据集中，组成全是竖图或全是横图的 batch。</translation>
    </message>
    <message>
        <source>drop_last drops the last batch even when it is full.</source>
        <translation>drop_last 会舍去最后一个 batch，即使它是满的。</translation>
    </message>
    <message>
        <source>Ranks can get different numbers of batches: a collective in each step then waits forever.</source>
        <translation>各 rank 的 batch 数可能不同：每个 step 的集合通信会因此永远等待。</translation>
    </message>
    <message>
        <source>The last batches of an epoch mix tall and wide images.</source>
        <translation>一个 epoch 的最后几个 batch 会混合竖图和横图。</translation>
    </message>
    <message>
        <source>Goes round the classes in random order and takes the next images of each, so that rare classes are seen as often as common ones.</source>
        <translation>按随机顺序轮流遍历各类别，并取每个类别接下来的图像，使稀有类别与常见类别出现得一样多。</translation>
    </message>
    <message>
        <source>Images of rare classes are repeated, and images of common ones left out, in every epoch.</source>
        <translation>在每个 epoch 中，稀有类别的图像会重复，常见类别的图像会被略去。</translation>
    </message>
    <message>
        <source>Images without an object are never read.</source>
        <translation>没有目标的图像永远不会被读取。</translation>
    </message>
    <message>
        <source>Each rank gets a contiguous part of the round, so a class that comes late in the order comes on the last ranks.</source>
        <translation>每个 rank 得到一段连续的部分，因此排在后面的类别出现在最后几个 rank 上。</translation>
    </message>
    <message>
        <source>Makes each batch of fixed numbers of samples out of several datasets, which are the entries of dataset.shards; endless.</source>
        <translation>每个 batch 从多个数据集（dataset.shards 的各项）取固定数量的样本；没有终点。</translation>
    </message>
    <message>
        <source>All datasets use the same seed: those of equal size are permuted alike, and a batch pairs the same places in every run.</source>
        <translation>所有数据集使用同一个种子：大小相同的数据集排列也相同，一个 batch 在每次运行中都配对相同的位置。</translation>
    </message>
    <message>
        <source>A dataset whose share of a batch rounds to nothing keeps the sampler searching forever.</source>
        <translation>如果某个数据集在 batch 中的份额取整后为零，采样器会永远找下去。</translation>
    </message>
    <message>
        <source>It saves no position: a resumed run reads the streams from their beginning again.</source>
        <translation>它不保存位置：恢复运行会从头读取各个流。</translation>
    </message>
    <message>
        <source>torch&apos;s DistributedSampler, which with even_divisible off gives some ranks one sample fewer instead of repeating samples.</source>
        <translation>torch 的 DistributedSampler；关闭 even_divisible 时，部分 rank 少一个样本，而不是重复样本。</translation>
    </message>
    <message>
        <source>even_divisible = false gives ranks different lengths: a collective in each step then waits forever.</source>
        <translation>even_divisible = false 使各 rank 长度不同：每个 step 的集合通信会因此永远等待。</translation>
    </message>
    <message>
        <source>even_divisible = false with drop_last fails an assertion without a message on the first ranks, unless the dataset divides evenly.</source>
        <translation>even_divisible = false 加上 drop_last 时，除非数据集能整除，前几个 rank 会因没有消息的断言而失败。</translation>
    </message>
    <message>
        <source>Without set_epoch every epoch has the same order.</source>
        <translation>不调用 set_epoch 时，每个 epoch 的顺序都相同。</translation>
    </message>
    <message>
        <source>Divides the dataset among the ranks as DistributedSampler does; each rank then draws by weight, with replacement, from its own slice.</source>
        <translation>像 DistributedSampler 一样把数据集划分给各 rank；然后每个 rank 按权重有放回地从自己的切片中抽取。</translation>
    </message>
    <message>
        <source>A weight counts within the rank&apos;s slice only: a sample in a slice of heavy samples is drawn less often than the same sample among light ones.</source>
        <translation>权重只在 rank 自己的切片内起作用：同一个样本在权重大的切片中被抽到的次数比在权重小的切片中少。</translation>
    </message>
    <message>
        <source>The draw comes from torch&apos;s global generator unless it has its own: anything else that draws from torch changes it.</source>
        <translation>除非有自己的生成器，否则从 torch 的全局生成器抽取：其他任何使用 torch 随机数的代码都会改变结果。</translation>
    </message>
    <message>
        <source>Draws each batch as random offsets into the token file, with replacement and without epochs; dataset.size counts tokens, and a sample is the token that a row begins with.</source>
        <translation>每个 batch 由在 token 文件中有放回抽取的随机位置组成，没有 epoch；dataset.size 按 token 计数，一个样本是一行开头的 token。</translation>
    </message>
    <message>
        <source>Only the seed tells ranks apart: the script seeds with 1337 + rank, so rank r of one run reads what rank 0 of a run with seed 1337 + r reads.</source>
        <translation>只有种子能区分各 rank：脚本的种子是 1337 + rank，因此一次运行的 rank r 读到的与种子为 1337 + r 的运行的 rank 0 相同。</translation>
    </message>
    <message>
        <source>Initializing the model on the CPU, and each estimate of the loss on rank 0, draw from the same stream: the offsets depend on the model and on the evaluation settings.</source>
        <translation>在 CPU 上初始化模型，以及 rank 0 上每次估计损失，都从同一个流抽取：位置取决于模型和评估设置。</translation>
    </message>
    <message>
        <source>A resumed run draws the first offsets again.</source>
        <translation>恢复运行会再次抽取最初的位置。</translation>
    </message>
    <message>
        <source>Offsets are drawn with replacement: an epoch&apos;s worth of batches does not cover the file.</source>
        <translation>位置是有放回抽取的：一个 epoch 的 batch 不会覆盖整个文件。</translation>
    </message>
    <message>
        <source>Permutes instances of one length, or chunks of neighbouring ones, and gives each rank every world-size-th instance of a global batch; batch sizes count tokens.</source>
        <translation>排列等长的实例（或由相邻实例组成的块），每个 rank 取全局 batch 中每隔 world size 的一个实例；batch 大小按 token 计数。</translation>
    </message>
    <message>
        <source>With chunk_size, the instances behind the last whole chunk are never read, in no epoch.</source>
        <translation>使用 chunk_size 时，最后一个整块之后的实例在任何 epoch 都不会被读取。</translation>
    </message>
    <message>
        <source>With chunk_size, a dataset whose chunks do not fill the counted batches fails to reshape.</source>
        <translation>使用 chunk_size 时，如果各块凑不满所计的 batch，reshape 会失败。</translation>
    </message>
    <message>
        <source>The file of indices is named by seed, epoch, size and chunk size, not by the data: another mix of the same size in the same work_dir reuses it.</source>
        <translation>索引文件按种子、epoch、大小和块大小命名，与数据无关：同一 work_dir 中大小相同的另一种混合会误用它。</translation>
    </message>
    <message>
        <source>A resumed run counts tokens: with another global batch size it continues at the last whole batch, and repeats what lies behind it.</source>
        <translation>恢复运行按 token 计数：换了全局 batch 大小后，它从最后一个整 batch 处继续，并重复其后的部分。</translation>
    </message>
    <message>
        <source>Repeats the first samples until all ranks have the same number, then permutes, and deals batches to the ranks in turn; Paddle&apos;s usual sampler.</source>
        <translation>先重复最前面的样本使各 rank 数量相同，再排列，然后把 batch 轮流分给各 rank；Paddle 常用的采样器。</translation>
    </message>
    <message>
        <source>It pads before it shuffles: the repeated samples are spread over all ranks and steps, so an evaluation cannot cut them off at the end.</source>
        <translation>它先补齐再打乱：重复的样本分散在所有 rank 和 step 中，因此评估时无法从末尾截掉它们。</translation>
    </message>
    <message>
        <source>It raises its epoch number itself: forgetting set_epoch does no harm, but a restarted job begins with epoch 0 again, whatever its checkpoint says.</source>
        <translation>它自己增加 epoch 编号：忘记 set_epoch 没有害处，但重启的任务无论检查点如何都从 epoch 0 开始。</translation>
    </message>
    <message>
        <source>The seed is the epoch number alone: no seed of yours changes the order.</source>
        <translation>种子只是 epoch 编号：你的任何种子都不会改变顺序。</translation>
    </message>
    <message>
        <source>It does not shuffle unless shuffle is given.</source>
        <translation>除非给出 shuffle，否则它不打乱。</translation>
    </message>
    <message>
        <source>Permutes the dataset, or draws from it with replacement, on every rank by NumPy&apos;s global stream.</source>
        <translation>在每个 rank 上用 NumPy 的全局流排列数据集，或有放回地抽取。</translation>
    </message>
    <message>
        <source>Draws samples on every rank by given weights, from NumPy&apos;s global stream.</source>
        <translation>在每个 rank 上按给定的权重从 NumPy 的全局流抽取样本。</translation>
    </message>
    <message>
        <source>Makes batches of several sizes out of another sampler, by a schedule that is the same on every rank.</source>
        <translation>按照在每个 rank 上都相同的日程，从另一个采样器组成多种大小的 batch。</translation>
    </message>
    <message>
        <source>Without num_batches the numbers of batches of each size are drawn once: every epoch has the same ones, in another order.</source>
        <translation>不给出 num_batches 时，各种大小的 batch 数只抽取一次：每个 epoch 都相同，只是顺序不同。</translation>
    </message>
    <message>
        <source>Seed s in epoch e shuffles the schedule as seed s + 2 does in epoch e - 1, so a sweep over seeds sees shifted copies.</source>
        <translation>种子 s 在 epoch e 打乱日程的方式与种子 s + 2 在 epoch e - 1 相同，因此扫描种子看到的是平移的副本。</translation>
    </message>
    <message>
        <source>With num_batches the sampler inside is started again in the same epoch, with the same order: samples are repeated while others wait for the next epoch.</source>
        <translation>给出 num_batches 时，内部的采样器在同一个 epoch 中以相同的顺序重新开始：一些样本会重复，另一些要等到下一个 epoch。</translation>
    </message>
    <message>
        <source>Repeats each sample of a permutation in a row, for GRPO in TRL 0.15; later releases have RepeatSampler.</source>
        <translation>把排列中的每个样本连续重复若干次，用于 TRL 0.15 的 GRPO；之后的版本使用 RepeatSampler。</translation>
    </message>
    <message>
        <source>It permutes with the global generator: ranks that seed torch apart draw different orders, and anything else that draws from torch changes them.</source>
        <translation>它用全局生成器排列：给 torch 设不同种子的 rank 抽到不同的顺序，其他任何使用 torch 随机数的代码也会改变顺序。</translation>
    </message>
    <message>
        <source>Every rank gets the whole list: the Trainer relies on Accelerate to divide its batches among the ranks.</source>
        <translation>每个 rank 都得到整个列表：Trainer 依靠 Accelerate 把 batch 划分给各 rank。</translation>
    </message>
    <message>
        <source>Repeats chunks of a permutation, and each sample in them, so that GRPO compares several generations of one prompt.</source>
        <translation>重复排列的各块以及块中的每个样本，使 GRPO 能比较同一提示词的多个生成。</translation>
    </message>
    <message>
        <source>The loader&apos;s batch is per_device_train_batch_size times steps_per_generation, so a whole generation batch is repeated, not new prompts (trl#3675, #4531, #4271).</source>
        <translation>加载器的 batch 是 per_device_train_batch_size 乘以 steps_per_generation，因此重复的是整个生成 batch，而不是新的提示词（trl#3675、#4531、#4271）。</translation>
    </message>
    <message>
        <source>A last chunk of fewer than batch_size samples is dropped in each pass.</source>
        <translation>每一遍中，样本数不足 batch_size 的最后一块会被舍去。</translation>
    </message>
    <message>
        <source>It has no set_epoch, and its generator is not saved: after a restart the first pass has the order of pass 0 again.</source>
        <translation>它没有 set_epoch，生成器也不保存：重启后的第一遍又是第 0 遍的顺序。</translation>
    </message>
    <message>
        <source>The loader of YOLOv5&apos;s training script: its workers live through all epochs, and ask for the first batches of an epoch before the script has told the sampler its number.</source>
        <translation>YOLOv5 训练脚本的加载器：它的 worker 贯穿所有 epoch，并在脚本告诉采样器编号之前就索要一个 epoch 的最初几个 batch。</translation>
    </message>
    <message>
        <source>With workers, epoch 1 repeats the order of epoch 0, and later epochs have the number of the epoch before: the first batches of a pass are asked for before set_epoch (yolov5#6741).</source>
        <translation>有 worker 时，epoch 1 重复 epoch 0 的顺序，之后的 epoch 使用前一个 epoch 的编号：一遍的最初几个 batch 在 set_epoch 之前就被索要（yolov5#6741）。</translation>
    </message>
    <message>
        <source>Passes of no more batches than the workers ask for ahead lag by more than one epoch number.</source>
        <translation>如果一遍的 batch 数不超过 worker 预先索要的数量，会落后不止一个 epoch 编号。</translation>
    </message>
    <message>
        <source>With workers and drop_last, a rank without a whole batch never gets out of the constructor.</source>
        <translation>有 worker 且打开 drop_last 时，凑不满一个 batch 的 rank 永远出不了构造函数。</translation>
    </message>
    <message>
        <source>In a process group no seed changes the order: the sampler&apos;s seed is always 0.</source>
        <translation>在进程组中任何种子都不会改变顺序：采样器的种子始终为 0。</translation>
    </message>
    <message>
        <source>Permutes on each rank the images that the rank keeps for the whole training; the plan names the images, the class numbers them within the rank.</source>
        <translation>在每个 rank 上排列它在整个训练中保留的图像；计划中写的是图像本身，而该类使用 rank 内的编号。</translation>
    </message>
    <message>
        <source>A rank reads the same images in every epoch and never another rank&apos;s, so batches mix less than with torch&apos;s DistributedSampler.</source>
        <translation>一个 rank 在每个 epoch 都读取相同的图像，从不读取其他 rank 的，因此 batch 的混合程度不如 torch 的 DistributedSampler。</translation>
    </message>
    <message>
        <source>The numbers that it yields are places in the rank&apos;s own list, not in the dataset, and repeat on every rank (yolov5 PR 10383).</source>
        <translation>它给出的编号是 rank 自己列表中的位置，而不是数据集中的位置，并在每个 rank 上重复出现（yolov5 PR 10383）。</translation>
    </message>
    <message>
        <source>With fewer images than ranks, a rank without images still asks for one.</source>
        <translation>当图像比 rank 少时，没有图像的 rank 仍会索要一张。</translation>
    </message>
    <message>
        <source>If the file is sorted by class, a batch holds few classes (ffcv#304).</source>
        <translation>如果文件按类别排序，一个 batch 只包含少数类别（ffcv#304）。</translation>
    </message>
    <message>
        <source>A rank whose slice has only weights of 0 fails when it is iterated.</source>
        <translation>如果某个 rank 的切片中权重全为 0，遍历它时会失败。</translation>
    </message>
    <message>
        <source>Draws global batches from clusters of samples, to which a curriculum adds harder ones; rank 0 draws for all.</source>
        <translation>从样本簇中抽取全局 batch，课程学习会逐步加入更难的簇；由 rank 0 替所有 rank 抽取。</translation>
    </message>
    <message>
        <source>A pass has no epochs: samples are drawn from clusters at random, so some come twice before others come once.</source>
        <translation>一遍之中没有 epoch 之分：样本从各簇随机抽取，有的样本已出现两次，有的还一次未出现。</translation>
    </message>
    <message>
        <source>A cluster that is smaller than what is drawn from it makes a short batch, and with drop_last the sampler can draw forever without a step (PR 8520).</source>
        <translation>如果簇比要从中抽取的数量还小，batch 就不完整；打开 drop_last 时，采样器可能一直抽取却得不到一个 step（PR 8520）。</translation>
    </message>
    <message>
        <source>It ends when more samples than dataset.size times num_epochs were read, so it reads one step too many if they divide evenly.</source>
        <translation>读取的样本超过 dataset.size 乘以 num_epochs 时它才结束，因此在恰好整除时会多读一个 step。</translation>
    </message>
    <message>
        <source>A resumed run draws from the beginning of the random stream again, because the state of its generator is not saved (DeepSpeed#8405).</source>
        <translation>恢复运行会从随机数流的开头重新抽取，因为其生成器的状态没有保存（DeepSpeed#8405）。</translation>
    </message>
    <message>
        <source>A minimum difficulty that no sample meets raises ValueError in the first step.</source>
        <translation>如果没有样本满足最低难度，第一个 step 就会引发 ValueError。</translation>
    </message>
    <message>
        <source>Reads rows of tokens out of shards, each rank its own rows of every step; dataset.shards counts the rows of each shard, (tokens - 1) / T rounded down.</source>
        <translation>从 shard 中读取 token 行，每个 rank 读取每个 step 中属于自己的行；dataset.shards 给出每个 shard 的行数，即 token 数减 1 再除以 T，向下取整。</translation>
    </message>
    <message>
        <source>train_gpt2.py&apos;s loader goes on to the next shard by its own position: higher ranks can do so a step before lower ones, and then read another shard in the same step.</source>
        <translation>train_gpt2.py 的加载器按自己的位置转到下一个 shard：编号较大的 rank 可能比较小的早一个 step，于是在同一个 step 读取不同的 shard。</translation>
    </message>
    <message>
        <source>A resumed run of the c loader does not restore the order within the shard.</source>
        <translation>c 加载器恢复运行时不会恢复 shard 内的顺序。</translation>
    </message>
    <message>
        <source>Makes each batch of fixed numbers of tall or of wide images out of one or two datasets, which are the entries of dataset.shards; endless.</source>
        <translation>从一个或两个数据集（即 dataset.shards 的各项）中取固定数量的竖图或横图组成每个 batch；无尽。</translation>
    </message>
    <message>
        <source>Each rank draws by NumPy&apos;s global stream whether its next batch is tall or wide: ranks that seed NumPy apart work on images of different shapes in the same step.</source>
        <translation>每个 rank 用 NumPy 的全局随机数流决定下一个 batch 是竖图还是横图：NumPy 种子不同的 rank 会在同一个 step 处理不同形状的图像。</translation>
    </message>
    <message>
        <source>Everything else in the process that draws from NumPy&apos;s global stream changes the groups that follow; the plan assumes that nothing does.</source>
        <translation>进程中任何其他使用 NumPy 全局随机数流的代码都会改变之后的分组；计划假设没有这样的代码。</translation>
    </message>
    <message>
        <source>aspect ratios</source>
        <translation>宽高比</translation>
    </message>
    <message>
        <source>Rows behind the last whole step of a shard are never read.</source>
        <translation>shard 中最后一个完整的 step 之后的行永远不会被读取。</translation>
    </message>
    <message>
        <source>With shuffle each rank has its own order of shards and steps, so the ranks read rows of different places in one step; each still keeps to its own rows, and a whole pass reads none twice.</source>
        <translation>打开 shuffle 时，每个 rank 有自己的 shard 和 step 的顺序，因此各 rank 在同一个 step 读取不同位置的行；但每个 rank 仍只读取自己的行，完整的一遍中没有一行被读取两次。</translation>
    </message>
    <message>
        <source>Every rank gets the same list: the Trainer relies on Accelerate to divide its batches among the ranks, as accelerate.DataLoaderShard with this inner sampler shows.</source>
        <translation>每个 rank 都得到同一个列表：Trainer 依靠 Accelerate 把 batch 划分给各 rank，如以此采样器为 inner 的 accelerate.DataLoaderShard 所示。</translation>
    </message>
    <message>
        <source>With worker_count above 0 each worker makes batches of its own share, so a rank may have several short ones.</source>
        <translation>worker_count 大于 0 时，每个 worker 用自己那一份组成 batch，因此一个 rank 可能有多个不满的 batch。</translation>
    </message>
    <message>
        <source>with_epoch of the dataset counts in each worker: num_workers of them yield num_workers times as many samples (webdataset#303).</source>
        <translation>数据集的 with_epoch 在每个 worker 中计数：num_workers 个 worker 产出 num_workers 倍的样本（webdataset#303）。</translation>
    </message>
    <message>
        <source>Up to torchdata 0.11 the state holds only how many samples were taken: without set_epoch after loading, the rest of another epoch&apos;s order follows (pytorch/data#1513).</source>
        <translation>直到 torchdata 0.11，状态只保存已取的样本数：加载后不调用 set_epoch，接下来的就是另一个 epoch 顺序的剩余部分（pytorch/data#1513）。</translation>
    </message>
    <message>
        <source>Every epoch begins the shards anew: with_epoch below what a worker&apos;s shards hold, and without a shuffle by the epoch, reads the same beginning each time.</source>
        <translation>每个 epoch 都从头读取 shard：如果 with_epoch 小于 worker 的 shard 所含的样本数，又没有按 epoch 打乱，每次读的都是同样的开头。</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::Arrangement</name>
    <message>
        <source>Hidden: %1</source>
        <translation>已隐藏：%1</translation>
    </message>
    <message>
        <source>Moved left: %1</source>
        <translation>已左移：%1</translation>
    </message>
    <message>
        <source>Moved right: %1</source>
        <translation>已右移：%1</translation>
    </message>
    <message>
        <source>Moved up: %1</source>
        <translation>已上移：%1</translation>
    </message>
    <message>
        <source>Moved down: %1</source>
        <translation>已下移：%1</translation>
    </message>
    <message>
        <source>The panels are back in their places</source>
        <translation>面板已恢复原位</translation>
    </message>
    <message>
        <source>Hide %1</source>
        <translation>隐藏%1</translation>
    </message>
    <message>
        <source>Move left</source>
        <translation>左移</translation>
    </message>
    <message>
        <source>Move right</source>
        <translation>右移</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Restore panels</source>
        <translation>恢复面板</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::ArrivalPlot</name>
    <message>
        <source>rank %1: not measured</source>
        <translation>rank %1：未测量</translation>
    </message>
    <message>
        <source>rank %1 arrives %2 after the first (5 to 95 %: %3 to %4)</source>
        <translation>rank %1 比最先到达者晚 %2（5 至 95 %：%3 至 %4）</translation>
    </message>
    <message>
        <source>Arrival in the collective, by rank</source>
        <translation>各 rank 的集合通信到达时间</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>after the first rank of each collective</source>
        <translation>相对每次集合通信中最先到达的 rank</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>after the first rank</source>
        <translation>晚于最先到达的 rank</translation>
    </message>
    <message>
        <source>late by</source>
        <translation>晚到</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::AutopsyBar</name>
    <message>
        <source>Compare ▾</source>
        <translation>比较 ▾</translation>
    </message>
    <message>
        <source>Put another recording, or the prediction, beside this run</source>
        <translation>把另一个运行记录或预测放在此运行旁边</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Its plan, predicted</source>
        <translation>其计划（预测）</translation>
    </message>
    <message>
        <source>The open design, predicted</source>
        <translation>打开的设计（预测）</translation>
    </message>
    <message>
        <source>Another file…</source>
        <translation>其他文件…</translation>
    </message>
    <message>
        <source>Compare with a recording</source>
        <translation>与运行记录比较</translation>
    </message>
    <message>
        <source>The open design, batch by batch</source>
        <translation>打开的设计（逐 batch）</translation>
    </message>
    <message>
        <source>Whether its loaders read what the open design plans</source>
        <translation>它的加载器读取的是否与打开的设计的计划一致</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::BatchLines</name>
    <message>
        <source>First batches of the resumed run</source>
        <translation>续训后的前几个 batch</translation>
    </message>
    <message>
        <source>rank %1, step %2: %3, %4 repeated</source>
        <translation>rank %1，step %2：%3，重复 %4</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::ColourButton</name>
    <message>
        <source>colour: %1 ▾</source>
        <translation>着色：%1 ▾</translation>
    </message>
    <message>
        <source>Colour of the cells: %1</source>
        <translation>单元格着色：%1</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::CompareLanes</name>
    <message>
        <source>Lanes of both runs on one axis</source>
        <translation>同一时间轴上的两次运行</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>%1, rank %2</source>
        <translation>%1，rank %2</translation>
    </message>
    <message>
        <source>%1, rank %2, epoch %3, step %4
%5: %6</source>
        <translation>%1，rank %2，epoch %3，step %4
%5：%6</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::ComparePanel</name>
    <message>
        <source>Comparison of two runs</source>
        <translation>两次运行的比较</translation>
    </message>
    <message>
        <source>Close the comparison</source>
        <translation>关闭比较</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>its plan, predicted</source>
        <translation>其计划（预测）</translation>
    </message>
    <message>
        <source>The run has not begun</source>
        <translation>运行尚未开始</translation>
    </message>
    <message>
        <source>%1, predicted</source>
        <translation>%1（预测）</translation>
    </message>
    <message>
        <source>the open design, predicted</source>
        <translation>打开的设计（预测）</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>正在读取 %1…</translation>
    </message>
    <message>
        <source>The recording has no plan to compare it with</source>
        <translation>该运行记录没有可比较的计划</translation>
    </message>
    <message>
        <source>Predicting…</source>
        <translation>正在预测…</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>对比</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::CoveragePlot</name>
    <message>
        <source>Distinct samples seen after each step</source>
        <translation>每个 step 之后读到的不同样本数</translation>
    </message>
    <message>
        <source>step</source>
        <translation>step</translation>
    </message>
    <message>
        <source>samples seen</source>
        <translation>已读样本</translation>
    </message>
    <message>
        <source>after %1: %2 seen (%3)</source>
        <translation>%1 后：已读 %2（%3）</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::CoverageView</name>
    <message>
        <source>Epoch</source>
        <translation>Epoch</translation>
    </message>
    <message>
        <source>Which ids</source>
        <translation>哪些 id</translation>
    </message>
    <message>
        <source>samples, by how often they are seen</source>
        <translation>样本，按读到的次数</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>epoch %1</translation>
    </message>
    <message>
        <source>missing: %1</source>
        <translation>缺失：%1</translation>
    </message>
    <message>
        <source>duplicated: %1</source>
        <translation>重复：%1</translation>
    </message>
    <message>
        <source>padding: %1</source>
        <translation>填充：%1</translation>
    </message>
    <message>
        <source>in no batch</source>
        <translation>不在任何 batch 中</translation>
    </message>
    <message>
        <source>no sample is missing</source>
        <translation>没有缺失的样本</translation>
    </message>
    <message>
        <source>no sample is seen twice</source>
        <translation>没有样本读到两次</translation>
    </message>
    <message>
        <source>no padding</source>
        <translation>无填充</translation>
    </message>
    <message>
        <source>samples seen, by step</source>
        <translation>已读样本，按 step</translation>
    </message>
    <message>
        <source>after %1: %2 of %3 seen</source>
        <translation>%1 后：已读 %2 / %3</translation>
    </message>
    <message>
        <source>times seen</source>
        <translation>读取次数</translation>
    </message>
    <message>
        <source>%1 of %2 seen</source>
        <translation>已读 %1 / %2</translation>
    </message>
    <message>
        <source>in several batches</source>
        <translation>出现在多个 batch 中</translation>
    </message>
    <message>
        <source>repeated to come out even</source>
        <translation>为凑整而重复</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::DatasetStrip</name>
    <message>
        <source>Dataset: samples seen</source>
        <translation>数据集：已读样本</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::DesignPage</name>
    <message>
        <source>Edit as text</source>
        <translation>以文本编辑</translation>
    </message>
    <message>
        <source>Hide the text</source>
        <translation>隐藏文本</translation>
    </message>
    <message>
        <source>Design form</source>
        <translation>设计表单</translation>
    </message>
    <message>
        <source>Design as text</source>
        <translation>设计文本</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>分配图</translation>
    </message>
    <message>
        <source>Bottom tabs</source>
        <translation>底部标签页</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>检查结果</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::Drafts</name>
    <message>
        <source>text with problems</source>
        <translation>有问题的文本</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::EpochRow</name>
    <message>
        <source>Epochs</source>
        <translation>Epoch</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>epoch %1</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::ExampleCard</name>
    <message>
        <source>Look for: %1</source>
        <translation>留意：%1</translation>
    </message>
    <message>
        <source>▶ Play</source>
        <translation>▶ 播放</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::ExportView</name>
    <message>
        <source>not included</source>
        <translation>未包含</translation>
    </message>
    <message>
        <source>preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>diff</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>File of the target</source>
        <translation>目标文件</translation>
    </message>
    <message>
        <source>Show the text, or its differences from the file on disk</source>
        <translation>显示文本，或与磁盘文件的差异</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Keep the file</source>
        <translation>保留文件</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>The spec is valid</source>
        <translation>配置有效</translation>
    </message>
    <message>
        <source>The audit finds %1</source>
        <translation>审计发现 %1</translation>
    </message>
    <message>
        <source>The export includes everything in the spec.</source>
        <translation>导出包含配置中的全部内容。</translation>
    </message>
    <message>
        <source>Differences from the file on disk</source>
        <translation>与磁盘文件的差异</translation>
    </message>
    <message>
        <source>Text of the file</source>
        <translation>文件内容</translation>
    </message>
    <message>
        <source>Nothing to export</source>
        <translation>没有可导出的内容</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>导出 %1</translation>
    </message>
    <message>
        <source>The file exists with different content; see below.</source>
        <translation>文件已存在且内容不同，见下方。</translation>
    </message>
    <message>
        <source>%1 files exist with different content; see below.</source>
        <translation>%1 个文件已存在且内容不同，见下方。</translation>
    </message>
    <message>
        <source>The spec has %1.</source>
        <translation>配置有 %1。</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>This spec cannot be planned: %1</source>
        <translation>此规格无法生成计划：%1</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Change the exported keys; the file&apos;s other keys, comments and order stay</source>
        <translation>只更改导出的键；文件中的其他键、注释和顺序保持不变</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>未保存：%1</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::FileCommands</name>
    <message>
        <source>Keeping the text of %1…</source>
        <translation>正在保留 %1 的文本…</translation>
    </message>
    <message>
        <source>The text of %1 has problems and was kept: File &gt; Kept drafts.</source>
        <translation>%1 的文本有问题，已保留：文件 &gt; 保留的草稿。</translation>
    </message>
    <message>
        <source>A new pipeline is open. The changes to %1 were kept: File &gt; Kept drafts.</source>
        <translation>已打开新的流水线。对 %1 的更改已保留：文件 &gt; 保留的草稿。</translation>
    </message>
    <message>
        <source>A new pipeline is open in place of %1.</source>
        <translation>已打开新的流水线，代替了 %1。</translation>
    </message>
    <message>
        <source>what was open before</source>
        <translation>之前打开的内容</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::FindingsPanel</name>
    <message>
        <source>Fix applied: %1</source>
        <translation>已应用修复：%1</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::FormPanel</name>
    <message>
        <source>%1 was reset to its default</source>
        <translation>%1 已恢复默认值</translation>
    </message>
    <message>
        <source>Example lists were filled in for this sampler. Replace them with your own in the form.</source>
        <translation>已为此采样器填入示例列表。请在表单中换成你自己的。</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::Gallery</name>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Mistakes from real training jobs</source>
        <translation>真实训练作业中的错误</translation>
    </message>
    <message>
        <source>Open one: a copy plays its first epoch, and Findings says what is wrong and what fixes it.</source>
        <translation>打开一个：其副本会播放第一个 epoch，“检查结果”会说明问题及修复方法。</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>No examples</source>
        <translation>没有示例</translation>
    </message>
    <message>
        <source>The source tree and the package include them.</source>
        <translation>示例随源码和安装包提供。</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::HeatScale</name>
    <message>
        <source>Scale of the colours: none to %1</source>
        <translation>颜色刻度：无至 %1</translation>
    </message>
    <message>
        <source>Shares below a thousandth have the colour of zero.</source>
        <translation>低于千分之一的占比显示为零的颜色。</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::IdList</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Sample ids</source>
        <translation>样本 id</translation>
    </message>
    <message>
        <source>Click an id to see where it goes</source>
        <translation>点击 id 查看它的去向</translation>
    </message>
    <message>
        <source>%1, the first %2</source>
        <translation>%1，前 %2 个</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::LegendRow</name>
    <message>
        <source>colour: sample %1 to sample %2</source>
        <translation>着色：样本 %1 至样本 %2</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>%1 (out of view: click to go there)</source>
        <translation>%1（在视图之外：点击前往）</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::LensColumnView</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Use this design</source>
        <translation>使用此设计</translation>
    </message>
    <message>
        <source>Pin beside the reference</source>
        <translation>固定在参考列旁</translation>
    </message>
    <message>
        <source>Move left</source>
        <translation>左移</translation>
    </message>
    <message>
        <source>Move right</source>
        <translation>右移</translation>
    </message>
    <message>
        <source>Hide this column</source>
        <translation>隐藏此列</translation>
    </message>
    <message>
        <source>Place of %1</source>
        <translation>%1 的位置</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Compute %1</source>
        <translation>计算 %1</translation>
    </message>
    <message>
        <source>Stop computing %1</source>
        <translation>停止计算 %1</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>%1. %2.</source>
        <translation>%1。%2。</translation>
    </message>
    <message>
        <source>Not computed</source>
        <translation>未计算</translation>
    </message>
    <message>
        <source>Not modelled</source>
        <translation>未建模</translation>
    </message>
    <message>
        <source>Fixes “%1”.</source>
        <translation>可修复“%1”。</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Use the fixed design</source>
        <translation>使用修复后的设计</translation>
    </message>
    <message>
        <source>What becomes of the samples</source>
        <translation>样本的去向</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::LensLegend</name>
    <message>
        <source>Cells</source>
        <translation>单元格</translation>
    </message>
    <message>
        <source>Bar</source>
        <translation>条形</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::LensPage</name>
    <message>
        <source>Design form</source>
        <translation>设计表单</translation>
    </message>
    <message>
        <source>Lens</source>
        <translation>框架对照</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::LensPanel</name>
    <message>
        <source>%1 of %2 columns ▾</source>
        <translation>%1 / %2 列 ▾</translation>
    </message>
    <message>
        <source>use the order of %1</source>
        <translation>采用 %1 的顺序</translation>
    </message>
    <message>
        <source>Framework lens</source>
        <translation>框架对照</translation>
    </message>
    <message>
        <source>Order of the columns</source>
        <translation>列的顺序</translation>
    </message>
    <message>
        <source>Frameworks shown</source>
        <translation>显示的框架</translation>
    </message>
    <message>
        <source>frameworks ▾</source>
        <translation>框架 ▾</translation>
    </message>
    <message>
        <source>The same design in each framework</source>
        <translation>同一设计在各框架中的结果</translation>
    </message>
    <message>
        <source>As listed</source>
        <translation>默认顺序</translation>
    </message>
    <message>
        <source>By similarity</source>
        <translation>按相似度</translation>
    </message>
    <message>
        <source>By hand</source>
        <translation>手动</translation>
    </message>
    <message>
        <source>%1 ▾</source>
        <translation>%1 ▾</translation>
    </message>
    <message>
        <source>All frameworks</source>
        <translation>所有框架</translation>
    </message>
    <message>
        <source>The usual frameworks</source>
        <translation>常用框架</translation>
    </message>
    <message>
        <source>The design is now that of %1</source>
        <translation>设计已改为 %1 的设计</translation>
    </message>
    <message>
        <source>Lens</source>
        <translation>框架对照</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::LinkLabel</name>
    <message>
        <source>Copy this command</source>
        <translation>复制此命令</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::MainWindow</name>
    <message>
        <source>Design &amp;form</source>
        <translation>设计表单(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Inspector and findings</source>
        <translation>详情和检查结果(&amp;I)</translation>
    </message>
    <message>
        <source>Bottom &amp;tabs</source>
        <translation>底部标签页(&amp;T)</translation>
    </message>
    <message>
        <source>Show or hide</source>
        <translation>显示或隐藏</translation>
    </message>
    <message>
        <source>&amp;Tour</source>
        <translation>导览(&amp;T)</translation>
    </message>
    <message>
        <source>A five-step tour of the window</source>
        <translation>五步了解此窗口</translation>
    </message>
    <message>
        <source>Describe the job</source>
        <translation>描述作业</translation>
    </message>
    <message>
        <source>Enter the dataset, ranks, loader and sampler of your training script. Each change is planned at once, and Ctrl+Z undoes it.</source>
        <translation>填写训练脚本的数据集、rank、加载器和采样器。每次修改都会立即重新生成计划，Ctrl+Z 可撤销。</translation>
    </message>
    <message>
        <source>See who reads what</source>
        <translation>查看谁读取什么</translation>
    </message>
    <message>
        <source>Each row is a rank, each column a step, each cell the batch that the rank reads there. Click a cell, a rank or the strip above to see its samples.</source>
        <translation>每行是一个 rank，每列是一个 step，每个单元格是该 rank 在那个 step 读取的 batch。点击单元格、rank 或上方的条带可查看其样本。</translation>
    </message>
    <message>
        <source>Play an epoch</source>
        <translation>播放一个 epoch</translation>
    </message>
    <message>
        <source>Space plays: batches leave the dataset for their ranks. The arrow keys go step by step.</source>
        <translation>按空格播放：batch 从数据集分发到各 rank。方向键逐步前进。</translation>
    </message>
    <message>
        <source>Fix what is wrong</source>
        <translation>修复问题</translation>
    </message>
    <message>
        <source>Samples that are missed, read twice or shared are named here, the worst first. A fix changes the design with one click.</source>
        <translation>这里列出缺失、重复读取或共享的样本，最严重的在前。点击修复即可修改设计。</translation>
    </message>
    <message>
        <source>Look closer</source>
        <translation>进一步查看</translation>
    </message>
    <message>
        <source>Overlap, coverage, seeds and waits show the same plan in detail. Export writes files for torchrun, mpirun and PyTorch.</source>
        <translation>重叠、覆盖、种子和等待详细展示同一个计划。导出会生成 torchrun、mpirun 和 PyTorch 的文件。</translation>
    </message>
    <message>
        <source>Choose a panel first: click into it.</source>
        <translation>请先点击一个面板。</translation>
    </message>
    <message>
        <source>Past the panel beside it; its column or row, where there is none</source>
        <translation>移过相邻面板；没有相邻面板时移动整列或整行</translation>
    </message>
    <message>
        <source>Move panel &amp;left</source>
        <translation>面板左移(&amp;L)</translation>
    </message>
    <message>
        <source>Move panel &amp;right</source>
        <translation>面板右移(&amp;R)</translation>
    </message>
    <message>
        <source>Move panel &amp;up</source>
        <translation>面板上移(&amp;U)</translation>
    </message>
    <message>
        <source>Move panel &amp;down</source>
        <translation>面板下移(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Hide panel</source>
        <translation>隐藏面板(&amp;H)</translation>
    </message>
    <message>
        <source>The panel with the focus</source>
        <translation>焦点所在的面板</translation>
    </message>
    <message>
        <source>Restore &amp;panels</source>
        <translation>恢复面板(&amp;P)</translation>
    </message>
    <message>
        <source>All panels of this page, where they were at first</source>
        <translation>本页所有面板恢复到最初的位置</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::NumberRow</name>
    <message>
        <source>a whole number, %1 to %2</source>
        <translation>整数，%1 至 %2</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::OverlapView</name>
    <message>
        <source>ranks</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>epoch</translation>
    </message>
    <message>
        <source>Show the shared ids</source>
        <translation>显示共享的 id</translation>
    </message>
    <message>
        <source>Compare ranks or epochs</source>
        <translation>比较 rank 或 epoch</translation>
    </message>
    <message>
        <source>Shared samples, rank by rank</source>
        <translation>各 rank 之间的共享样本</translation>
    </message>
    <message>
        <source>Equal orders, epoch by epoch</source>
        <translation>各 epoch 之间的相同顺序</translation>
    </message>
    <message>
        <source>%1 shared</source>
        <translation>共享 %1</translation>
    </message>
    <message>
        <source>Looking up %1</source>
        <translation>正在查找：%1</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>epoch</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::PageCommands</name>
    <message>
        <source>Saved %1 (%2).</source>
        <translation>已保存 %1（%2）。</translation>
    </message>
    <message>
        <source>Saving %1…</source>
        <translation>正在保存 %1…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>There is no plan to save as a page: fix the design first.</source>
        <translation>没有可保存为网页的计划：请先修复设计。</translation>
    </message>
    <message>
        <source>There is no run to report: launch a job, or open a recorded run first.</source>
        <translation>没有可报告的运行：请先启动作业或打开运行记录。</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>已保存 %1。</translation>
    </message>
    <message>
        <source>Save as a playable page</source>
        <translation>保存为可播放的网页</translation>
    </message>
    <message>
        <source>Pages (*.html);;All files (*)</source>
        <translation>网页 (*.html);;所有文件 (*)</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Save the run as a page</source>
        <translation>将运行保存为网页</translation>
    </message>
    <message>
        <source>Save a picture of the window</source>
        <translation>保存窗口图片</translation>
    </message>
    <message>
        <source>Pictures for print (*.png);;Vectors (*.svg)</source>
        <translation>高清图片 (*.png);;矢量图 (*.svg)</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::ResumeAxis</name>
    <message>
        <source>Steps done when it stops</source>
        <translation>中断时已完成的 step 数</translation>
    </message>
    <message>
        <source>stop after %1</source>
        <translation>%1 后中断</translation>
    </message>
    <message>
        <source>stopped run</source>
        <translation>中断的运行</translation>
    </message>
    <message>
        <source>resumed run, to step %1</source>
        <translation>续训，至 step %1</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::ResumeControls</name>
    <message>
        <source>epoch</source>
        <translation>epoch</translation>
    </message>
    <message>
        <source>steps done</source>
        <translation>已完成的 step 数</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>节点数</translation>
    </message>
    <message>
        <source>ranks per node</source>
        <translation>每节点 rank 数</translation>
    </message>
    <message>
        <source>Same as before</source>
        <translation>与之前相同</translation>
    </message>
    <message>
        <source>Stop and restart</source>
        <translation>中断与重启</translation>
    </message>
    <message>
        <source>interrupted at</source>
        <translation>中断位置</translation>
    </message>
    <message>
        <source>restart with</source>
        <translation>重启配置</translation>
    </message>
    <message>
        <source>on the command line</source>
        <translation>命令行</translation>
    </message>
    <message>
        <source>Command line</source>
        <translation>命令行</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>world size %1, as before the stop</source>
        <translation>world size %1，与中断前相同</translation>
    </message>
    <message>
        <source>world size %1, before the stop %2</source>
        <translation>world size %1，中断前为 %2</translation>
    </message>
    <message>
        <source>by node: %1</source>
        <translation>各节点：%1</translation>
    </message>
    <message>
        <source>before the stop %1</source>
        <translation>停止前为 %1</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::ResumeList</name>
    <message>
        <source>▸ %1</source>
        <translation>▸ %1</translation>
    </message>
    <message>
        <source>▾ %1</source>
        <translation>▾ %1</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>显示%1</translation>
    </message>
    <message>
        <source>Hide %1</source>
        <translation>隐藏%1</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::ResumePage</name>
    <message>
        <source>stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>compute again</source>
        <translation>重新计算</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>续训</translation>
    </message>
    <message>
        <source>Stop computing</source>
        <translation>停止计算</translation>
    </message>
    <message>
        <source>Simulating each resume method</source>
        <translation>正在模拟每种续训方式</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Nothing has been computed yet.</source>
        <translation>还没有计算结果。</translation>
    </message>
    <message>
        <source>Stopped: some methods are missing.</source>
        <translation>已停止：缺少部分方式的结果。</translation>
    </message>
    <message>
        <source>Stopped: the rows show an earlier choice.</source>
        <translation>已停止：各行显示的是之前的选择。</translation>
    </message>
    <message>
        <source>The epoch has no steps</source>
        <translation>此 epoch 没有 step</translation>
    </message>
    <message>
        <source>There is no step to stop at.</source>
        <translation>没有可中断的 step。</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>%1 so far: %2</source>
        <translation>目前 %1：%2</translation>
    </message>
    <message>
        <source>Stopped after %1 of epoch %2, restarted with %3</source>
        <translation>在 epoch %2 的 %1 后中断，以 %3 重启</translation>
    </message>
    <message>
        <source>Stop and restart</source>
        <translation>中断与重启</translation>
    </message>
    <message>
        <source>Resume methods</source>
        <translation>续训方式</translation>
    </message>
    <message>
        <source>Selected method</source>
        <translation>选中的方式</translation>
    </message>
    <message>
        <source>%1 and batch_size %2</source>
        <translation>%1，batch_size 为 %2</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::RunPage</name>
    <message>
        <source>Co&amp;mpare with…</source>
        <translation>比较(&amp;M)…</translation>
    </message>
    <message>
        <source>The run beside another recording, or beside what its plan predicts</source>
        <translation>将此运行与另一个运行记录或其计划的预测并排显示</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::SeedModel</name>
    <message>
        <source>same as %1</source>
        <translation>与 %1 相同</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1，以及 %2</translation>
    </message>
    <message>
        <source>%1 right after the seed: %2</source>
        <translation>设置种子后立即 %1：%2</translation>
    </message>
    <message>
        <source>first sample of the rank in epoch %1: %2; %3 right after the seed: %4</source>
        <translation>该 rank 在 epoch %1 的第一个样本：%2；设置种子后立即 %3：%4</translation>
    </message>
    <message>
        <source>main process of the rank</source>
        <translation>该 rank 的主进程</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>epoch</translation>
    </message>
    <message>
        <source>node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>local rank</source>
        <translation>local rank</translation>
    </message>
    <message>
        <source>worker</source>
        <translation>worker</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>32-bit stream</source>
        <translation>32 位随机流</translation>
    </message>
    <message>
        <source>first ids</source>
        <translation>首批 id</translation>
    </message>
    <message>
        <source>equal to</source>
        <translation>等同于</translation>
    </message>
    <message>
        <source>%1 share a seed with another worker</source>
        <translation>%1 与另一个 worker 种子相同</translation>
    </message>
    <message>
        <source>All %1 have the same seed</source>
        <translation>全部 %1 种子相同</translation>
    </message>
    <message>
        <source>Both ranks have the same seed</source>
        <translation>两个 rank 的种子相同</translation>
    </message>
    <message>
        <source>Every node has the same %1</source>
        <translation>每个节点都有相同的 %1</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%2 用 %1</translation>
    </message>
    <message>
        <source>%1; %2 differ</source>
        <translation>%1；%2 互不相同</translation>
    </message>
    <message>
        <source>All %1 and %2 have different seeds</source>
        <translation>全部 %1 和 %2 的种子互不相同</translation>
    </message>
    <message>
        <source>One rank: no seed to share</source>
        <translation>只有一个 rank：不存在种子相同</translation>
    </message>
    <message>
        <source>All %1 have different seeds</source>
        <translation>全部 %1 的种子互不相同</translation>
    </message>
    <message>
        <source>How the script seeds is not known</source>
        <translation>脚本如何设置种子未知</translation>
    </message>
    <message>
        <source>All %1 have different seeds; those of the workers are not known</source>
        <translation>全部 %1 的种子各不相同；worker 的种子未知</translation>
    </message>
    <message>
        <source>%1 of %2 would share random ids</source>
        <translation>%2 中有 %1 个会抽到相同的随机 id</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::SeedsView</name>
    <message>
        <source>all rows</source>
        <translation>所有行</translation>
    </message>
    <message>
        <source>only collisions</source>
        <translation>只看冲突</translation>
    </message>
    <message>
        <source>Worker seeds are exact only if nothing draws from the global generator before the loader does.</source>
        <translation>仅当在加载器之前没有其他代码使用全局随机数生成器时，worker 种子才精确。</translation>
    </message>
    <message>
        <source>Copy CSV</source>
        <translation>复制 CSV</translation>
    </message>
    <message>
        <source>Copy YAML</source>
        <translation>复制 YAML</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>Show this rank only</source>
        <translation>只显示此 rank</translation>
    </message>
    <message>
        <source>Show this epoch only</source>
        <translation>只显示此 epoch</translation>
    </message>
    <message>
        <source>Which rows</source>
        <translation>显示哪些行</translation>
    </message>
    <message>
        <source>Seeds by epoch, rank and worker</source>
        <translation>按 epoch、rank 和 worker 列出的种子</translation>
    </message>
    <message>
        <source>all epochs</source>
        <translation>所有 epoch</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>epoch %1</translation>
    </message>
    <message>
        <source>no seeds</source>
        <translation>没有种子</translation>
    </message>
    <message>
        <source>no seeds collide</source>
        <translation>没有种子冲突</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>all seeds</source>
        <translation>所有种子</translation>
    </message>
    <message>
        <source>only seed %1</source>
        <translation>只看种子 %1</translation>
    </message>
    <message>
        <source>only rank %1</source>
        <translation>只看 rank %1</translation>
    </message>
    <message>
        <source>There are no seeds to show.</source>
        <translation>没有种子可显示。</translation>
    </message>
    <message>
        <source>No two of these rows have the same seed.</source>
        <translation>这些行中没有两行种子相同。</translation>
    </message>
    <message>
        <source>No row fits the filters above.</source>
        <translation>没有符合上述筛选的行。</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::SpecEditor</name>
    <message>
        <source>The design as text</source>
        <translation>设计文本</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::SpecText</name>
    <message>
        <source>edit of the text</source>
        <translation>编辑文本</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::StagePanel</name>
    <message>
        <source>It has 0 samples, so no rank gets a batch. Set dataset.size.</source>
        <translation>数据集有 0 个样本，没有 rank 能得到 batch。请设置 dataset.size。</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Ranks × steps</source>
        <translation>rank × step</translation>
    </message>
    <message>
        <source>This design cannot be planned</source>
        <translation>此设计无法生成计划</translation>
    </message>
    <message>
        <source>This design cannot be planned: %1 problems</source>
        <translation>此设计无法生成计划：%1 个问题</translation>
    </message>
    <message>
        <source>Planning</source>
        <translation>正在生成计划</translation>
    </message>
    <message>
        <source>Computing the order of epoch %1</source>
        <translation>正在计算 epoch %1 的顺序</translation>
    </message>
    <message>
        <source>The dataset is empty</source>
        <translation>数据集为空</translation>
    </message>
    <message>
        <source>No rank has a batch</source>
        <translation>没有 rank 得到 batch</translation>
    </message>
    <message>
        <source>%1 do not fill one batch of any rank, and drop_last drops batches that are not full. Lower batch_size or turn drop_last off.</source>
        <translation>%1不足以填满任何 rank 的一个 batch，而 drop_last 会丢弃不满的 batch。请减小 batch_size 或关闭 drop_last。</translation>
    </message>
    <message>
        <source>%1 in flight ·</source>
        <translation>%1 个在途 ·</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::StageView</name>
    <message>
        <source>Stage: ranks by steps</source>
        <translation>分配图：rank × step</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::StatePane</name>
    <message>
        <source>The spec has errors</source>
        <translation>配置有错误</translation>
    </message>
    <message>
        <source>%1 Below: the last plan without errors.</source>
        <translation>%1 下方是最近一个没有错误的计划。</translation>
    </message>
    <message numerus="yes">
        <source> And %n more.</source>
        <translation>
            <numerusform> 另有 %n 个。</numerusform>
        </translation>
    </message>
    <message>
        <source>This is epoch %1.</source>
        <translation>这是 epoch %1。</translation>
    </message>
    <message>
        <source>%1 Checking epoch %2…</source>
        <translation>%1 正在检查 epoch %2…</translation>
    </message>
    <message>
        <source>%1 Show epoch %2</source>
        <translation>%1 显示 epoch %2</translation>
    </message>
    <message>
        <source>Auditing</source>
        <translation>正在审计</translation>
    </message>
    <message>
        <source>Planning</source>
        <translation>正在生成计划</translation>
    </message>
    <message>
        <source>Fix applied: %1</source>
        <translation>已应用修复：%1</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::TabStrip</name>
    <message>
        <source>more ▾</source>
        <translation>更多 ▾</translation>
    </message>
    <message>
        <source>More tabs</source>
        <translation>更多标签页</translation>
    </message>
    <message>
        <source>Double-click for more room, and again for less</source>
        <translation>双击可放大，再次双击恢复</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::TextPanel</name>
    <message>
        <source>Replace the text with the design</source>
        <translation>用设计替换文本</translation>
    </message>
    <message>
        <source>Design as text</source>
        <translation>设计文本</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the text</source>
        <translation>关闭文本</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>This text is too long to be edited here.</source>
        <translation>文本过长，无法在此编辑。</translation>
    </message>
    <message>
        <source>%1. The form shows %2 until this file can be opened.</source>
        <translation>%1。在此文件能够打开之前，表单显示%2。</translation>
    </message>
    <message>
        <source>another design</source>
        <translation>另一个设计</translation>
    </message>
    <message>
        <source>The design was changed elsewhere while this text has problems.</source>
        <translation>文本仍有问题时，设计已在别处被修改。</translation>
    </message>
    <message>
        <source>%1. The form shows the last text without problems.</source>
        <translation>%1。表单显示最近一次没有问题的文本。</translation>
    </message>
    <message>
        <source>Rewritten: comments and spelling of the earlier text were not kept.</source>
        <translation>已重写：原文本的注释和写法未保留。</translation>
    </message>
    <message>
        <source>The text matches the form. Comments and order are kept.</source>
        <translation>文本与表单一致，注释和顺序均保留。</translation>
    </message>
    <message>
        <source>not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>Show the open design instead</source>
        <translation>改为显示当前设计</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::TimesSeenPlot</name>
    <message>
        <source>How often a sample is seen</source>
        <translation>样本被读到的次数</translation>
    </message>
    <message>
        <source>times seen</source>
        <translation>读到次数</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::Toast</name>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Copied %1 lines</source>
        <translation>已复制 %1 行</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>已复制：%1</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::Tour</name>
    <message>
        <source>Skip (Esc)</source>
        <translation>跳过（Esc）</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Next (Enter)</source>
        <translation>下一步（Enter）</translation>
    </message>
    <message>
        <source>Done (Enter)</source>
        <translation>完成（Enter）</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::TransportBar</name>
    <message>
        <source>1 step per second</source>
        <translation>每秒 1 个 step</translation>
    </message>
    <message>
        <source>%1 steps per second</source>
        <translation>每秒 %1 个 step</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoch</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Step</translation>
    </message>
    <message>
        <source>Start of the epoch</source>
        <translation>epoch 开头</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Home</translation>
    </message>
    <message>
        <source>One step back</source>
        <translation>后退一个 step</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Left</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Space</translation>
    </message>
    <message>
        <source>One step forward</source>
        <translation>前进一个 step</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Right</translation>
    </message>
    <message>
        <source>End of the epoch</source>
        <translation>epoch 末尾</translation>
    </message>
    <message>
        <source>End</source>
        <translation>End</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>epoch</translation>
    </message>
    <message>
        <source>step</source>
        <translation>step</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>1 epoch per second</source>
        <translation>每秒 1 个 epoch</translation>
    </message>
    <message>
        <source>Speed: %1</source>
        <translation>速度：%1</translation>
    </message>
    <message>
        <source>Starts again after the last epoch</source>
        <translation>最后一个 epoch 之后从头开始</translation>
    </message>
    <message>
        <source>Stops after the last epoch</source>
        <translation>最后一个 epoch 之后停止</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>1 step/s</source>
        <translation>1 step/s</translation>
    </message>
    <message>
        <source>%1 steps/s</source>
        <translation>%1 step/s</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::WayDetails</name>
    <message>
        <source>Selected method</source>
        <translation>选中的方式</translation>
    </message>
    <message>
        <source>selected method</source>
        <translation>选中的方式</translation>
    </message>
    <message>
        <source>repeated samples</source>
        <translation>重复的样本</translation>
    </message>
    <message>
        <source>lost samples</source>
        <translation>丢失的样本</translation>
    </message>
    <message>
        <source>skipped, though never trained on</source>
        <translation>被跳过且从未训练</translation>
    </message>
    <message>
        <source>first batches of the resumed run</source>
        <translation>续训后的前几个 batch</translation>
    </message>
    <message>
        <source>None: the epoch is complete.</source>
        <translation>无：此 epoch 已完成。</translation>
    </message>
    <message>
        <source>Samples by step; a ring marks samples that were trained on before the stop.</source>
        <translation>按 step 列出样本；圆圈标出中断前已训练过的样本。</translation>
    </message>
    <message>
        <source> Shown: the first %1 of %2.</source>
        <translation>显示 %2 中的前 %1 个。</translation>
    </message>
</context>
<context>
    <name>shardlens::ui::WayStrip</name>
    <message>
        <source>trained before the stop</source>
        <translation>中断前已训练</translation>
    </message>
    <message>
        <source>after the stop</source>
        <translation>中断之后</translation>
    </message>
    <message>
        <source>: %1</source>
        <translation>：%1</translation>
    </message>
    <message>
        <source>
%1 of them repeated</source>
        <translation>
其中 %1 个重复</translation>
    </message>
    <message>
        <source>
%1 of them lost</source>
        <translation>
其中 %1 个丢失</translation>
    </message>
</context>
<context>
    <name>spec</name>
    <message>
        <source>The ranks draw %1 different orders, together %2 GB: too much to hold in memory.</source>
        <translation>各 rank 抽取 %1 种不同的顺序，合计 %2 GB：内存放不下。</translation>
    </message>
    <message>
        <source>ask for one rank, or lower dataset.size</source>
        <translation>请只查询一个 rank，或减小 dataset.size</translation>
    </message>
    <message>
        <source>this build does not know the sampler &apos;%1&apos;.</source>
        <translation>此版本不认识采样器“%1”。</translation>
    </message>
    <message>
        <source>there are %1 for %2.</source>
        <translation>%2对应有 %1。</translation>
    </message>
    <message>
        <source>give one for each sample, or remove the list</source>
        <translation>请为每个样本提供一个，或删除该列表</translation>
    </message>
    <message>
        <source>seed the script, and say how: seeds: {base: 0, rule: %1}</source>
        <translation>请在脚本中设置种子，并说明方式：seeds: {base: 0, rule: %1}</translation>
    </message>
    <message>
        <source>there is 1 label for %1.</source>
        <translation>%1对应有 1 个标签。</translation>
    </message>
    <message>
        <source>there are %1 labels for %2.</source>
        <translation>%2对应有 %1 个标签。</translation>
    </message>
    <message>
        <source>give dataset.labels, one whole number for each sample</source>
        <translation>请提供 dataset.labels，每个样本一个整数</translation>
    </message>
    <message>
        <source>the list holds sample %1, but the dataset has only %2.</source>
        <translation>列表包含样本 %1，但数据集只有 %2。</translation>
    </message>
    <message>
        <source>raise dataset.size, or leave the sample out</source>
        <translation>请增大 dataset.size，或去掉该样本</translation>
    </message>
    <message>
        <source>there is no entry %1 in %2.</source>
        <translation>%2 中没有第 %1 项。</translation>
    </message>
    <message>
        <source>it has no entries</source>
        <translation>它没有任何项</translation>
    </message>
    <message>
        <source>its entries go from 0 to %1</source>
        <translation>它的项从 0 到 %1</translation>
    </message>
    <message>
        <source>there is no field &apos;%1&apos;.</source>
        <translation>没有字段“%1”。</translation>
    </message>
    <message>
        <source>did you mean %1?</source>
        <translation>你是指 %1 吗？</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a number.</source>
        <translation>“%1”不是数。</translation>
    </message>
    <message>
        <source>with %1 the list is longer than %2 items.</source>
        <translation>加上 %1 后，列表超过 %2 项。</translation>
    </message>
    <message>
        <source>%1 is not a whole number, a range such as 0..9 or a repetition such as 64 x 1000.</source>
        <translation>%1 不是整数、范围（如 0..9）或重复（如 64 x 1000）。</translation>
    </message>
    <message>
        <source>%1 is longer than %2 items.</source>
        <translation>%1 超过 %2 项。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is neither true nor false.</source>
        <translation>“%1”既不是 true 也不是 false。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a whole number.</source>
        <translation>“%1”不是整数。</translation>
    </message>
    <message>
        <source>a list of entries cannot be typed on one line.</source>
        <translation>项的列表无法在一行中输入。</translation>
    </message>
    <message>
        <source>edit its entries</source>
        <translation>请逐项编辑</translation>
    </message>
    <message>
        <source>a whole number that fits into 64 bits</source>
        <translation>可用 64 位表示的整数</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>从 %1 到 %2</translation>
    </message>
    <message>
        <source>a finite number</source>
        <translation>有限数</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is neither a whole number nor %2.</source>
        <translation>“%1”既不是整数，也不是 %2。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not one of %2.</source>
        <translation>“%1”不是 %2 之一。</translation>
    </message>
    <message>
        <source>name one of these releases: none can stand in for another</source>
        <translation>请写出其中一个版本：它们不能互相代替</translation>
    </message>
    <message>
        <source>%1 is not %2.</source>
        <translation>%1 不是%2。</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>%1 is out of range: it must be %2.</source>
        <translation>%1 超出范围：必须为 %2。</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数</translation>
    </message>
    <message>
        <source>one of %1</source>
        <translation>%1 之一</translation>
    </message>
    <message>
        <source>a list of whole numbers</source>
        <translation>整数列表</translation>
    </message>
    <message>
        <source>item %1 is %2: each must be %3.</source>
        <translation>第 %1 项是 %2：每一项必须为 %3。</translation>
    </message>
    <message>
        <source>a list of numbers</source>
        <translation>数的列表</translation>
    </message>
    <message>
        <source>the entry has no &apos;%1&apos;.</source>
        <translation>该项没有“%1”。</translation>
    </message>
    <message>
        <source>add %1: ...</source>
        <translation>请添加 %1: ...</translation>
    </message>
    <message>
        <source>a list of entries</source>
        <translation>项的列表</translation>
    </message>
    <message>
        <source>there are %1 entries; at most %2 are allowed.</source>
        <translation>有 %1 项；最多允许 %2 项。</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>torch refuses it, too: its seeds go from -9223372036854775808 to 18446744073709551615</source>
        <translation>torch 也会拒绝它：它的种子从 -9223372036854775808 到 18446744073709551615</translation>
    </message>
    <message>
        <source>torch takes it as %1: write that instead</source>
        <translation>torch 会把它当作 %1：请改写成那个数</translation>
    </message>
    <message>
        <source>%1 is too small: it must be from %2 to %3.</source>
        <translation>%1 太小：必须从 %2 到 %3。</translation>
    </message>
    <message>
        <source>%1 is too large: it must be from %2 to %3.</source>
        <translation>%1 太大：必须从 %2 到 %3。</translation>
    </message>
    <message>
        <source>there is no key &apos;%1&apos; in an entry of %2.</source>
        <translation>%2 的项中没有键“%1”。</translation>
    </message>
    <message>
        <source>known are %1</source>
        <translation>已知的有 %1</translation>
    </message>
    <message>
        <source>loader.batch_size and loader.drop_last are the BatchSampler</source>
        <translation>BatchSampler 就是 loader.batch_size 和 loader.drop_last</translation>
    </message>
    <message>
        <source> or </source>
        <translation>或 </translation>
    </message>
    <message>
        <source>there is no sampler &apos;%1&apos;.</source>
        <translation>没有采样器“%1”。</translation>
    </message>
    <message>
        <source>&apos;%2&apos; is no parameter of %1.</source>
        <translation>“%2”不是 %1 的参数。</translation>
    </message>
    <message>
        <source>it takes %1</source>
        <translation>它的参数有 %1</translation>
    </message>
    <message>
        <source>the shards hold %1 samples, but dataset.size is %2.</source>
        <translation>各 shard 共有 %1 个样本，但 dataset.size 为 %2。</translation>
    </message>
    <message>
        <source>set dataset.size to %1, or remove the shards</source>
        <translation>请把 dataset.size 设为 %1，或删除 shards</translation>
    </message>
    <message>
        <source>%1 × %2 ranks per node are more than %3 ranks.</source>
        <translation>%1 × 每个节点 %2 个 rank，合计超过 %3 个 rank。</translation>
    </message>
    <message>
        <source>lower nodes or ranks_per_node</source>
        <translation>请减小 nodes 或 ranks_per_node</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a list of lists of numbers.</source>
        <translation>“%1”不是由数的列表组成的列表。</translation>
    </message>
    <message>
        <source>write it as [[0, 1], [2, 3]]</source>
        <translation>请写成 [[0,1],[2,3]]</translation>
    </message>
    <message>
        <source>a list of lists of numbers</source>
        <translation>由数的列表组成的列表</translation>
    </message>
    <message>
        <source>%1 is not a list of lists of numbers.</source>
        <translation>%1 不是由数的列表组成的列表。</translation>
    </message>
    <message>
        <source>the phase has a group and ranks.</source>
        <translation>该阶段同时有 group 和 ranks。</translation>
    </message>
    <message>
        <source>rank %1 is listed twice.</source>
        <translation>rank %1 被列出两次。</translation>
    </message>
    <message>
        <source>let each rank be in one of the groups</source>
        <translation>请让每个 rank 只在一组中</translation>
    </message>
    <message>
        <source>only an all_reduce without kb has values.</source>
        <translation>values 只用于不带 kb 的 all_reduce。</translation>
    </message>
    <message>
        <source>remove kb, or the values</source>
        <translation>请删除 kb 或 values</translation>
    </message>
    <message>
        <source>values are for at most %1 ranks.</source>
        <translation>values 最多用于 %1 个 rank。</translation>
    </message>
    <message>
        <source>remove the values, and give kb</source>
        <translation>请删除 values，改写 kb</translation>
    </message>
    <message>
        <source>there are values for %1, but the world has %2.</source>
        <translation>给出了 %1 的 values，而 world 有 %2 个。</translation>
    </message>
    <message>
        <source>write one list for each rank of the world</source>
        <translation>请为 world 的每个 rank 写一个列表</translation>
    </message>
    <message>
        <source>ranks have different numbers of values.</source>
        <translation>各 rank 的数的个数不同。</translation>
    </message>
    <message>
        <source>give every rank as many as rank 0</source>
        <translation>请让每个 rank 的个数与 rank 0 相同</translation>
    </message>
    <message>
        <source>there is no rank %1.</source>
        <translation>没有 rank %1。</translation>
    </message>
    <message>
        <source>ranks go from 0 to %1</source>
        <translation>rank 从 0 到 %1</translation>
    </message>
    <message>
        <source>the delay ends at step %1 and begins at step %2.</source>
        <translation>延迟在 step %1 结束，却在 step %2 开始。</translation>
    </message>
    <message>
        <source>give a later step, or 0 for a delay until the end</source>
        <translation>请给出更靠后的 step，或用 0 表示延迟到最后</translation>
    </message>
    <message>
        <source>a list of entries is needed here.</source>
        <translation>这里需要一个项的列表。</translation>
    </message>
    <message>
        <source>write [%1]</source>
        <translation>请写 [%1]</translation>
    </message>
    <message>
        <source>an entry of %1 is a map of keys and values.</source>
        <translation>%1 的项是由键和值组成的映射。</translation>
    </message>
    <message>
        <source>write %1</source>
        <translation>请写 %1</translation>
    </message>
    <message>
        <source>a key must be a word.</source>
        <translation>键必须是一个词。</translation>
    </message>
    <message>
        <source>the key &apos;%1&apos; occurs a second time.</source>
        <translation>键“%1”出现了第二次。</translation>
    </message>
    <message>
        <source>remove one of them</source>
        <translation>请删除其中一个</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>空值</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>a map</source>
        <translation>映射</translation>
    </message>
    <message>
        <source>remove the quotes</source>
        <translation>请去掉引号</translation>
    </message>
    <message>
        <source>write it without the leading zero</source>
        <translation>请去掉开头的零</translation>
    </message>
    <message>
        <source>write it as %1</source>
        <translation>请写成 %1</translation>
    </message>
    <message>
        <source>%1 is not a whole number.</source>
        <translation>%1 不是整数。</translation>
    </message>
    <message>
        <source>%1 is not a number.</source>
        <translation>%1 不是数。</translation>
    </message>
    <message>
        <source>%1 is neither true nor false.</source>
        <translation>%1 既不是 true 也不是 false。</translation>
    </message>
    <message>
        <source>write true or false</source>
        <translation>请写 true 或 false</translation>
    </message>
    <message>
        <source>%1 is not text.</source>
        <translation>%1 不是文本。</translation>
    </message>
    <message>
        <source>write &quot;&quot; for empty text</source>
        <translation>空文本请写 &quot;&quot;</translation>
    </message>
    <message>
        <source>a range of indices is written {range: [first, end]}, end excluded.</source>
        <translation>索引范围写作 {range: [first, end]}，不含 end。</translation>
    </message>
    <message>
        <source>the range %1 to %2 runs backwards or is out of range.</source>
        <translation>范围 %1 到 %2 为空、反向或超出范围。</translation>
    </message>
    <message>
        <source>indices go from %1</source>
        <translation>索引从 %1 开始</translation>
    </message>
    <message>
        <source>the range is longer than %1 indices.</source>
        <translation>范围超过 %1 个索引。</translation>
    </message>
    <message>
        <source>%1 is not a list of whole numbers.</source>
        <translation>%1 不是整数列表。</translation>
    </message>
    <message>
        <source>write [0, 1, 2], {range: [0, 3]} or 64 x 1000</source>
        <translation>请写 [0, 1, 2]、{range: [0, 3]} 或 64 x 1000</translation>
    </message>
    <message>
        <source>item %1 is %2: each must be a whole number.</source>
        <translation>第 %1 项是 %2：每一项必须是整数。</translation>
    </message>
    <message>
        <source>the list is longer than %1 items.</source>
        <translation>列表超过 %1 项。</translation>
    </message>
    <message>
        <source>%1 is not a list of numbers.</source>
        <translation>%1 不是数的列表。</translation>
    </message>
    <message>
        <source>write [1, 0.5, 0.25]</source>
        <translation>请写 [1, 0.5, 0.25]</translation>
    </message>
    <message>
        <source>item %1: %2</source>
        <translation>第 %1 项：%2</translation>
    </message>
    <message>
        <source>the key has no value.</source>
        <translation>该键没有值。</translation>
    </message>
    <message>
        <source>write one or remove the key</source>
        <translation>请写一个值或删除该键</translation>
    </message>
    <message>
        <source>the file has changed on disk since it was read.</source>
        <translation>文件在读取之后已在磁盘上改变。</translation>
    </message>
    <message>
        <source>the file has disappeared since it was read.</source>
        <translation>文件在读取之后已消失。</translation>
    </message>
    <message>
        <source>save under another name, read it again, or overwrite it</source>
        <translation>请以其他名称保存、重新读取或覆盖它</translation>
    </message>
    <message>
        <source>the file is empty.</source>
        <translation>文件为空。</translation>
    </message>
    <message>
        <source>start with the line &apos;%1&apos;</source>
        <translation>请以“%1”一行开头</translation>
    </message>
    <message>
        <source>a spec must be a map of keys and values.</source>
        <translation>spec 必须是由键和值组成的映射。</translation>
    </message>
    <message>
        <source>the version of the file format is missing.</source>
        <translation>缺少文件格式的版本。</translation>
    </message>
    <message>
        <source>add the line &apos;%1&apos; at the top</source>
        <translation>请在最上面添加“%1”一行</translation>
    </message>
    <message>
        <source>write &apos;%1&apos;</source>
        <translation>请写“%1”</translation>
    </message>
    <message>
        <source>the file has format %1; this ShardLens reads formats up to %2.</source>
        <translation>文件的格式为 %1；此 ShardLens 最高可读取格式 %2。</translation>
    </message>
    <message>
        <source>open it with a newer ShardLens</source>
        <translation>请用更新的 ShardLens 打开</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is a section: it needs keys below it.</source>
        <translation>“%1”是一节：它下面需要有键。</translation>
    </message>
    <message>
        <source>write %1: {%2: ...}</source>
        <translation>请写 %1: {%2: ...}</translation>
    </message>
    <message>
        <source>there is no key &apos;%1&apos;.</source>
        <translation>没有键“%1”。</translation>
    </message>
    <message>
        <source>there is no key &apos;%1&apos; in %2.</source>
        <translation>%2 中没有键“%1”。</translation>
    </message>
    <message>
        <source>write world: {nodes: 1, ranks_per_node: %1}</source>
        <translation>请写 world: {nodes: 1, ranks_per_node: %1}</translation>
    </message>
    <message>
        <source>write world: {nodes: %1, ranks_per_node: 8}</source>
        <translation>请写 world: {nodes: %1, ranks_per_node: 8}</translation>
    </message>
    <message>
        <source>Enter a whole number.</source>
        <translation>请输入一个整数。</translation>
    </message>
    <message>
        <source>write framework: {lightning: {strategy: ddp}}</source>
        <translation>请写 framework: {lightning: {strategy: ddp}}</translation>
    </message>
    <message>
        <source>write framework: {lightning: {use_distributed_sampler: false}}, its name since 2.0</source>
        <translation>请写 framework: {lightning: {use_distributed_sampler: false}}，这是 2.0 以来的名称</translation>
    </message>
    <message>
        <source>write seeds: {base: 42, rule: same}</source>
        <translation>请写 seeds: {base: 42, rule: same}</translation>
    </message>
    <message>
        <source>write framework: {torch: &quot;2.9&quot;}</source>
        <translation>请写 framework: {torch: &quot;2.9&quot;}</translation>
    </message>
    <message>
        <source>there are more problems than the %1 listed.</source>
        <translation>问题多于列出的 %1 个。</translation>
    </message>
    <message>
        <source>a bracket is never closed.</source>
        <translation>有一个括号没有闭合。</translation>
    </message>
    <message>
        <source>a comma or a %1 is missing here.</source>
        <translation>这里缺少逗号或 %1。</translation>
    </message>
    <message>
        <source>the %1 opened before</source>
        <translation>之前打开的 %1</translation>
    </message>
    <message>
        <source>a %1 is never closed.</source>
        <translation>有一个 %1 没有闭合。</translation>
    </message>
    <message>
        <source>add the %1</source>
        <translation>请添加 %1</translation>
    </message>
    <message>
        <source>a quote is never closed.</source>
        <translation>有一个引号没有闭合。</translation>
    </message>
    <message>
        <source>add the closing quote</source>
        <translation>请添加结束的引号</translation>
    </message>
    <message>
        <source>the end of the file</source>
        <translation>文件结尾</translation>
    </message>
    <message>
        <source>a value cannot begin with %1.</source>
        <translation>值不能以 %1 开头。</translation>
    </message>
    <message>
        <source>put the value in quotes</source>
        <translation>请把值放在引号中</translation>
    </message>
    <message>
        <source>tags (!) are not allowed in a spec.</source>
        <translation>spec 中不允许使用标签（!）。</translation>
    </message>
    <message>
        <source>anchors (&amp;) are not allowed in a spec.</source>
        <translation>spec 中不允许使用锚点（&amp;）。</translation>
    </message>
    <message>
        <source>aliases (*) are not allowed in a spec.</source>
        <translation>spec 中不允许使用别名（*）。</translation>
    </message>
    <message>
        <source>remove it, or put the value in quotes</source>
        <translation>请删除它，或把值放在引号中</translation>
    </message>
    <message>
        <source>write the value itself, in quotes if it begins with *</source>
        <translation>请写出值本身；如果以 * 开头，请放在引号中</translation>
    </message>
    <message>
        <source>lines that begin with % are not allowed in a spec.</source>
        <translation>spec 中不允许以 % 开头的行。</translation>
    </message>
    <message>
        <source>keys of one section begin in the same column</source>
        <translation>同一节的键从同一列开始</translation>
    </message>
    <message>
        <source>remove it</source>
        <translation>请删除它</translation>
    </message>
    <message>
        <source>this line does not belong to the section above it.</source>
        <translation>这一行不属于上面的节。</translation>
    </message>
    <message>
        <source>this line does not belong to the list above it.</source>
        <translation>这一行不属于上面的列表。</translation>
    </message>
    <message>
        <source>each item of the list begins with &apos;- &apos; in the same column</source>
        <translation>列表的每一项在同一列以“- ”开头</translation>
    </message>
    <message>
        <source>the escape has a character that is not a hexadecimal digit.</source>
        <translation>转义中有一个字符不是十六进制数字。</translation>
    </message>
    <message>
        <source>write \\ for a backslash, or use single quotes</source>
        <translation>反斜杠请写 \\，或使用单引号</translation>
    </message>
    <message>
        <source>there is a line of --- or ... inside a quoted text.</source>
        <translation>引号内的文本中有 --- 或 ... 一行。</translation>
    </message>
    <message>
        <source>close the quote before it</source>
        <translation>请在它之前结束引号</translation>
    </message>
    <message>
        <source>the line is indented with a tab.</source>
        <translation>这一行用制表符缩进。</translation>
    </message>
    <message>
        <source>use spaces</source>
        <translation>请使用空格</translation>
    </message>
    <message>
        <source>this bracket closes nothing.</source>
        <translation>这个括号没有对应的开头。</translation>
    </message>
    <message>
        <source>remove it, or open it before</source>
        <translation>请删除它，或在前面打开它</translation>
    </message>
    <message>
        <source>a list item (-) cannot begin here.</source>
        <translation>列表项（-）不能在这里开始。</translation>
    </message>
    <message>
        <source>begin it on a line of its own</source>
        <translation>请另起一行</translation>
    </message>
    <message>
        <source>a key cannot begin here.</source>
        <translation>键不能在这里开始。</translation>
    </message>
    <message>
        <source>a second &apos;:&apos; in one line: a value cannot begin here.</source>
        <translation>一行中有第二个“:”：值不能在这里开始。</translation>
    </message>
    <message>
        <source>begin the key on a line of its own, or put a value that contains &apos;: &apos; in quotes</source>
        <translation>请让键另起一行，或把包含“: ”的值放在引号中</translation>
    </message>
    <message>
        <source>the text after | or &gt; cannot be indented by 0.</source>
        <translation>| 或 &gt; 之后的文本不能缩进 0。</translation>
    </message>
    <message>
        <source>give a number from 1 to 9</source>
        <translation>请给出 1 到 9 的数</translation>
    </message>
    <message>
        <source>after | or &gt; the line must end.</source>
        <translation>在 | 或 &gt; 之后必须换行。</translation>
    </message>
    <message>
        <source>begin the text on the next line</source>
        <translation>请从下一行开始写文本</translation>
    </message>
    <message>
        <source>brackets or sections are nested too deep.</source>
        <translation>括号或节的嵌套太深。</translation>
    </message>
    <message>
        <source>a spec needs no more than a few levels</source>
        <translation>spec 只需要几层</translation>
    </message>
    <message>
        <source>\%1 is not an escape of YAML.</source>
        <translation>\%1 不是 YAML 的转义。</translation>
    </message>
    <message>
        <source>the escape names no character of Unicode.</source>
        <translation>该转义不对应任何 Unicode 字符。</translation>
    </message>
    <message>
        <source>write the character itself</source>
        <translation>请直接写出该字符</translation>
    </message>
    <message>
        <source>this is not YAML: %1.</source>
        <translation>这不是 YAML：%1。</translation>
    </message>
    <message>
        <source>a second document starts here: a spec is one document.</source>
        <translation>第二个文档从这里开始：spec 只有一个文档。</translation>
    </message>
    <message>
        <source>remove the line &apos;---&apos; and everything after it</source>
        <translation>请删除“---”一行及其后的所有内容</translation>
    </message>
    <message>
        <source>write the value itself</source>
        <translation>请写出值本身</translation>
    </message>
    <message>
        <source>an escape in this text produces a byte that is not UTF-8.</source>
        <translation>此文本中的一个转义产生了不是 UTF-8 的字节。</translation>
    </message>
    <message>
        <source>write \u00A0 for \_ and \u0085 for \N</source>
        <translation>\_ 请写成 \u00A0，\N 请写成 \u0085</translation>
    </message>
    <message>
        <source>this quote is never closed.</source>
        <translation>这个引号没有闭合。</translation>
    </message>
    <message>
        <source>a tag (%1): tags are not allowed in a spec.</source>
        <translation>标签（%1）：spec 中不允许使用标签。</translation>
    </message>
    <message>
        <source>values are nested more than %1 deep.</source>
        <translation>值的嵌套超过 %1 层。</translation>
    </message>
    <message>
        <source>the file holds more than %1 values.</source>
        <translation>文件中的值超过 %1 个。</translation>
    </message>
    <message>
        <source>write consecutive indices as {range: [first, end]}</source>
        <translation>连续的索引请写成 {range: [first, end]}</translation>
    </message>
    <message>
        <source>the file is longer than 64 MB.</source>
        <translation>文件超过 64 MB。</translation>
    </message>
    <message>
        <source>the file is UTF-16.</source>
        <translation>文件是 UTF-16。</translation>
    </message>
    <message>
        <source>save it as UTF-8</source>
        <translation>请保存为 UTF-8</translation>
    </message>
    <message>
        <source>this byte is a control character, which YAML does not allow.</source>
        <translation>此字节是控制字符，YAML 不允许。</translation>
    </message>
    <message>
        <source>this byte is not UTF-8.</source>
        <translation>此字节不是 UTF-8。</translation>
    </message>
    <message>
        <source>save the file as UTF-8</source>
        <translation>请将文件保存为 UTF-8</translation>
    </message>
    <message>
        <source>line %1 is indented with a tab.</source>
        <translation>第 %1 行用制表符缩进。</translation>
    </message>
    <message>
        <source>line %1 is indented with a tab; use spaces</source>
        <translation>第 %1 行用制表符缩进；请使用空格</translation>
    </message>
    <message>
        <source>the file cannot be read: %1.</source>
        <translation>无法读取文件：%1。</translation>
    </message>
    <message>
        <source>the ranks have %1 together, and there are the sizes of %2.</source>
        <translation>所有 rank 共有 %1，而给出了 %2 个的大小。</translation>
    </message>
    <message>
        <source>the batches have %1 together, and there are %2.</source>
        <translation>所有 batch 共有 %1，而给出了 %2 个。</translation>
    </message>
    <message>
        <source>%1 was recorded, and the world has %2.</source>
        <translation>记录了 %1，而 world 有 %2 个。</translation>
    </message>
    <message>
        <source>%1 were recorded, and the world has %2.</source>
        <translation>记录了 %1，而 world 有 %2 个。</translation>
    </message>
    <message>
        <source>what other ranks would read is not known: keep the world as it was</source>
        <translation>其他 rank 会读取什么是未知的：请保持 world 不变</translation>
    </message>
    <message>
        <source>there are %1, which is not a multiple of %2.</source>
        <translation>有 %1，不是 %2 的倍数。</translation>
    </message>
    <message>
        <source>give one for each rank in each epoch</source>
        <translation>请为每个 epoch 中的每个 rank 各给一个</translation>
    </message>
    <message>
        <source>only %1 was recorded: what comes after it is not known.</source>
        <translation>只记录了 %1：之后的内容是未知的。</translation>
    </message>
    <message>
        <source>only %1 were recorded: what comes after them is not known.</source>
        <translation>只记录了 %1：之后的内容是未知的。</translation>
    </message>
    <message>
        <source>set epochs to %1</source>
        <translation>请把 epochs 设为 %1</translation>
    </message>
    <message>
        <source>sampler.generator already gives the loader a generator, and a loader has only one.</source>
        <translation>sampler.generator 已为加载器提供生成器，而加载器只有一个。</translation>
    </message>
    <message>
        <source>remove one of the two</source>
        <translation>请删除两者之一</translation>
    </message>
    <message>
        <source>%1 gives its loader a generator of its own.</source>
        <translation>%1 为其加载器提供自己的生成器。</translation>
    </message>
    <message>
        <source>remove the key</source>
        <translation>请删除该键</translation>
    </message>
    <message>
        <source>not predictable, because it is not known how the script seeds: %1 draws random numbers.</source>
        <translation>无法预测，因为脚本如何设置种子未知：%1 抽取随机数。</translation>
    </message>
    <message>
        <source>raised by rank %1</source>
        <translation>由 rank %1 抛出</translation>
    </message>
    <message>
        <source>%1 makes a seed of it for each rank, so it must be from %2 to %3.</source>
        <translation>%1 由它为每个 rank 生成种子，因此只接受 %2 到 %3。</translation>
    </message>
    <message>
        <source>give another base</source>
        <translation>请给出另一个基数</translation>
    </message>
    <message>
        <source>raised by rank %1; %2</source>
        <translation>由 rank %1 抛出；%2</translation>
    </message>
    <message>
        <source>the list is empty.</source>
        <translation>列表为空。</translation>
    </message>
    <message>
        <source>write a whole number, or a list with at least one</source>
        <translation>请写一个整数，或至少含一个整数的列表</translation>
    </message>
    <message>
        <source>%1 ranks on %2 are more than %3 ranks.</source>
        <translation>%2上的 %1 个 rank 超过了 %3 个 rank。</translation>
    </message>
    <message>
        <source>nodes is %1, but ranks_per_node has numbers for %2.</source>
        <translation>nodes 是 %1，但 ranks_per_node 给出了 %2的数。</translation>
    </message>
    <message>
        <source>remove nodes or set it to %1, or list one number for each node</source>
        <translation>请删除 nodes 或把它设为 %1，或为每个节点列出一个数</translation>
    </message>
    <message>
        <source>not predictable, because the script never seeds torch&apos;s global generator: %1 draws random numbers that differ from process to process and from run to run.</source>
        <translation>无法预测，因为脚本从不设置 torch 全局随机数生成器的种子：%1 抽取的随机数因进程和运行而异。</translation>
    </message>
    <message>
        <source>ShardLens does not know what ranks that divide one copy of the model get from %1.</source>
        <translation>ShardLens 不知道共同承担一份模型的 rank 会从 %1 得到什么。</translation>
    </message>
    <message>
        <source>use a torch.DistributedSampler that gets data_parallel_size and data_parallel_rank, or one of Megatron&apos;s own samplers</source>
        <translation>请使用传入 data_parallel_size 和 data_parallel_rank 的 torch.DistributedSampler，或 Megatron 自己的采样器</translation>
    </message>
    <message>
        <source>expert_tensor %1 × expert %2 × pipeline %3 make %4, which do not divide %5.</source>
        <translation>expert_tensor %1 × expert %2 × pipeline %3 为 %4，不能整除 %5。</translation>
    </message>
    <message>
        <source>the size of expert_data groups is the world size divided by their product: lower one of them, or change nodes or ranks_per_node</source>
        <translation>expert_data 组的大小等于 world size 除以它们的乘积：请减小其中一个，或更改 nodes 或 ranks_per_node</translation>
    </message>
    <message>
        <source>with %1, expert_tensor %2 × expert %3 must be tensor %4 × context %5.</source>
        <translation>采用 %1 时，expert_tensor %2 × expert %3 必须等于 tensor %4 × context %5。</translation>
    </message>
    <message>
        <source>all layers must have the same pipeline groups: write order: %1</source>
        <translation>所有层的流水线组必须相同：请写 order: %1</translation>
    </message>
    <message>
        <source>tensor %1 × context %2 × pipeline %3 make %4, which do not divide %5.</source>
        <translation>tensor %1 × context %2 × pipeline %3 为 %4，不能整除 %5。</translation>
    </message>
    <message>
        <source>the data-parallel size is the world size divided by their product: lower one of them, or change nodes or ranks_per_node</source>
        <translation>数据并行大小等于 world size 除以它们的乘积：请减小其中一个，或更改 nodes 或 ranks_per_node</translation>
    </message>
    <message>
        <source>write world: {groups: {tensor: %1}}</source>
        <translation>请写 world: {groups: {tensor: %1}}</translation>
    </message>
    <message>
        <source>write world: {groups: {context: %1}}</source>
        <translation>请写 world: {groups: {context: %1}}</translation>
    </message>
    <message>
        <source>write world: {groups: {expert: %1}}</source>
        <translation>请写 world: {groups: {expert: %1}}</translation>
    </message>
    <message>
        <source>write world: {groups: {expert_tensor: %1}}</source>
        <translation>请写 world: {groups: {expert_tensor: %1}}</translation>
    </message>
    <message>
        <source>write world: {groups: {pipeline: %1}}</source>
        <translation>请写 world: {groups: {pipeline: %1}}</translation>
    </message>
    <message>
        <source>write always, or comparisons such as rank == 0, rank in [0, 2], step % 100 == 0 and group_rank != last, joined by and</source>
        <translation>请写 always，或以 and 连接的比较，例如 rank == 0、rank in [0, 2]、step % 100 == 0 and group_rank != last</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a condition.</source>
        <translation>“%1”不是条件。</translation>
    </message>
    <message>
        <source>there is no %1 at %2.</source>
        <translation>%2 处没有 %1。</translation>
    </message>
    <message>
        <source>remove the comparison, or choose another value for `at`</source>
        <translation>请删除该比较，或为 `at` 选择另一个值</translation>
    </message>
    <message>
        <source>%1 itself sets when it runs and with which ranks.</source>
        <translation>%1 自身已规定何时、在哪些 rank 之间进行。</translation>
    </message>
    <message>
        <source>write {do: %1} alone, or its phases</source>
        <translation>请只写 {do: %1}，或写出它的各个阶段</translation>
    </message>
    <message>
        <source>ranks are whole numbers.</source>
        <translation>rank 是整数。</translation>
    </message>
    <message>
        <source>write them without a point: [[0, 1], [2, 3]]</source>
        <translation>请不带小数点书写：[[0,1],[2,3]]</translation>
    </message>
    <message>
        <source>a rank has more than %1 values.</source>
        <translation>一个 rank 有超过 %1 个值。</translation>
    </message>
    <message>
        <source>give fewer values, or give kb</source>
        <translation>请减少值的数量，或改用 kb</translation>
    </message>
</context>
<context>
    <name>stage</name>
    <message>
        <source>sample position</source>
        <translation>样本位置</translation>
    </message>
    <message>
        <source>worker</source>
        <translation>worker</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>duplicates</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>handed out, by rank</source>
        <translation>已分发，按 rank</translation>
    </message>
    <message>
        <source>loaded by the rank itself</source>
        <translation>由 rank 自身加载</translation>
    </message>
    <message>
        <source>loader worker</source>
        <translation>加载 worker</translation>
    </message>
    <message>
        <source>share read more than once</source>
        <translation>多次读取的占比</translation>
    </message>
    <message>
        <source>share that is padding</source>
        <translation>填充的占比</translation>
    </message>
    <message>
        <source>read more than once</source>
        <translation>多次读取</translation>
    </message>
    <message>
        <source>another batch</source>
        <translation>batch 不同</translation>
    </message>
    <message>
        <source>batch that never comes</source>
        <translation>不会到来的 batch</translation>
    </message>
    <message>
        <source>no batch</source>
        <translation>没有 batch</translation>
    </message>
    <message>
        <source>not dealt yet</source>
        <translation>尚未分发</translation>
    </message>
    <message>
        <source>some</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>rank %1 runs out after %2</source>
        <translation>rank %1 在 %2 后没有 batch</translation>
    </message>
    <message>
        <source>ranks %1 run out after %2</source>
        <translation>rank %1 在 %2 后没有 batch</translation>
    </message>
    <message>
        <source>rank %1 · epoch %2 · step %3</source>
        <translation>rank %1 · epoch %2 · step %3</translation>
    </message>
    <message>
        <source>no batch here: this rank has only %1</source>
        <translation>此处没有 batch：该 rank 只有 %1</translation>
    </message>
    <message>
        <source>worker %1</source>
        <translation>worker %1</translation>
    </message>
    <message>
        <source>%1 handed out more than once in this epoch</source>
        <translation>%1在此 epoch 被多次分发</translation>
    </message>
    <message>
        <source>epoch %1 (%2 of %3)</source>
        <translation>epoch %1（第 %2，共 %3）</translation>
    </message>
    <message>
        <source>coverage is not counted above %1 samples</source>
        <translation>超过 %1 个样本时不统计覆盖</translation>
    </message>
    <message>
        <source>%1 of %2 samples seen</source>
        <translation>已读 %1 / %2 个样本</translation>
    </message>
    <message>
        <source>about %1 of %2 samples seen</source>
        <translation>已读约 %1 / %2 个样本</translation>
    </message>
    <message>
        <source>sample %1</source>
        <translation>样本 %1</translation>
    </message>
    <message>
        <source>samples %1 to %2</source>
        <translation>样本 %1 至 %2</translation>
    </message>
    <message>
        <source>not seen yet</source>
        <translation>尚未读到</translation>
    </message>
    <message>
        <source>seen, last by rank %1</source>
        <translation>已读到，最近由 rank %1</translation>
    </message>
    <message>
        <source>%1 % seen, last by rank %2</source>
        <translation>已读到 %1 %，最近由 rank %2</translation>
    </message>
    <message>
        <source>handed out more than once</source>
        <translation>多次分发</translation>
    </message>
    <message>
        <source>used as padding</source>
        <translation>用作填充</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>分配图</translation>
    </message>
    <message>
        <source>label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>samples have no labels</source>
        <translation>样本没有标签</translation>
    </message>
    <message>
        <source>label %1</source>
        <translation>标签 %1</translation>
    </message>
    <message>
        <source>%1st</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>%1nd</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>%1rd</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>%1th</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>step</source>
        <translation>step</translation>
    </message>
    <message>
        <source>mean, 5–95 %</source>
        <translation>均值，5–95 %</translation>
    </message>
    <message>
        <source>in flight</source>
        <translation>正在分发</translation>
    </message>
    <message>
        <source>handed out, by node</source>
        <translation>已分发，按节点</translation>
    </message>
    <message>
        <source>ribbon to its rank</source>
        <translation>通往 rank 的色带</translation>
    </message>
    <message>
        <source>one ribbon for each %1 ranks</source>
        <translation>每 %1 个 rank 一条色带</translation>
    </message>
    <message>
        <source>dealt in this step</source>
        <translation>本 step 分发</translation>
    </message>
    <message>
        <source>hues repeat after 8 nodes</source>
        <translation>8 个节点后颜色重复</translation>
    </message>
    <message>
        <source>one bar: %1</source>
        <translation>一条柱：%1</translation>
    </message>
    <message>
        <source>one bar: %1 or %2</source>
        <translation>一条柱：%1 或 %2</translation>
    </message>
    <message>
        <source>one bar: about %1</source>
        <translation>一条柱：约 %1</translation>
    </message>
    <message>
        <source>full height: %1 % of them handed out</source>
        <translation>满高：其中 %1 % 已分发</translation>
    </message>
    <message>
        <source>selected</source>
        <translation>已选中</translation>
    </message>
    <message>
        <source>shares samples</source>
        <translation>有相同样本</translation>
    </message>
    <message>
        <source>holds sample %1</source>
        <translation>含样本 %1</translation>
    </message>
    <message>
        <source>holds the selected samples</source>
        <translation>含所选样本</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>epoch %1</translation>
    </message>
</context>
<context>
    <name>start</name>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>No problem</source>
        <translation>没有问题</translation>
    </message>
</context>
<context>
    <name>status</name>
    <message>
        <source>no report yet</source>
        <translation>尚未上报</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>加载中</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>计算中</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>在 %1 中</translation>
    </message>
    <message>
        <source>between phases</source>
        <translation>阶段之间</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>dead</source>
        <translation>已终止</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>%1 at the end</source>
        <translation>最后为 %1</translation>
    </message>
</context>
<context>
    <name>tabs</name>
    <message>
        <source>never</source>
        <translation>从未</translation>
    </message>
    <message>
        <source>once</source>
        <translation>一次</translation>
    </message>
    <message>
        <source>twice</source>
        <translation>两次</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1 次</translation>
    </message>
    <message>
        <source>%1 of %2 seen</source>
        <translation>已读 %1 / %2</translation>
    </message>
    <message>
        <source>%1 handed out</source>
        <translation>分发 %1</translation>
    </message>
    <message>
        <source>no padding</source>
        <translation>无填充</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>%1 are %2</source>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>%1+ times</source>
        <translation>%1 次以上</translation>
    </message>
    <message>
        <source>Every sample is seen once</source>
        <translation>每个样本恰好读到一次</translation>
    </message>
    <message>
        <source>never seen</source>
        <translation>从未读到</translation>
    </message>
    <message>
        <source>repeated as padding</source>
        <translation>作为填充重复</translation>
    </message>
    <message>
        <source>seen more than once</source>
        <translation>读到多次</translation>
    </message>
    <message>
        <source>Will create %1</source>
        <translation>将创建 %1</translation>
    </message>
    <message>
        <source>%1 is up to date</source>
        <translation>%1 已是最新</translation>
    </message>
    <message>
        <source>%1 on disk differs (+%2 −%3)</source>
        <translation>磁盘上的 %1 不同（+%2 −%3）</translation>
    </message>
    <message>
        <source>%1: padding</source>
        <translation>%1：填充</translation>
    </message>
    <message>
        <source>Repeated so that every rank gets the same number of samples.</source>
        <translation>为使每个 rank 得到相同数量的样本而重复。</translation>
    </message>
    <message>
        <source>the first %1 of %2 ranks</source>
        <translation>%2 个 rank 中的前 %1 个</translation>
    </message>
    <message>
        <source>Compared: %1 (%2) in epoch %3.</source>
        <translation>已比较：epoch %3 中的 %1（%2）。</translation>
    </message>
    <message>
        <source>all %1</source>
        <translation>全部 %1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>rank %1 gets %2</source>
        <translation>rank %1 得到 %2</translation>
    </message>
    <message>
        <source>ranks %1 and %2 share no sample</source>
        <translation>rank %1 和 %2 没有共享样本</translation>
    </message>
    <message>
        <source>ranks %1 and %2 share %3 (%4)</source>
        <translation>rank %1 和 %2 共享 %3（%4）</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>epoch %1</translation>
    </message>
    <message>
        <source>epochs %1 and %2 have the same order</source>
        <translation>epoch %1 和 %2 的顺序相同</translation>
    </message>
    <message>
        <source>epochs %1 and %2 have different orders</source>
        <translation>epoch %1 和 %2 的顺序不同</translation>
    </message>
    <message>
        <source>One rank: nothing to compare</source>
        <translation>只有一个 rank：没有可比较的</translation>
    </message>
    <message>
        <source>Overlap needs at least two ranks.</source>
        <translation>重叠分析至少需要两个 rank。</translation>
    </message>
    <message>
        <source>No two ranks share a sample</source>
        <translation>任意两个 rank 都没有共享样本</translation>
    </message>
    <message>
        <source>ranks %1 and %2 share %3</source>
        <translation>rank %1 和 %2 共享%3</translation>
    </message>
    <message>
        <source>%1 of %2 share samples</source>
        <translation>%2中有 %1 对共享样本</translation>
    </message>
    <message>
        <source>Worst: %1.</source>
        <translation>最严重：%1。</translation>
    </message>
    <message>
        <source>%1 shares at most %2, through padding only.</source>
        <translation>%1最多共享 %2，且仅由填充造成。</translation>
    </message>
    <message>
        <source>%1 share at most %2, through padding only.</source>
        <translation>%1最多共享 %2，且仅由填充造成。</translation>
    </message>
    <message>
        <source>Rank %1 gets %2</source>
        <translation>rank %1 得到 %2</translation>
    </message>
    <message>
        <source>Ranks %1 and %2</source>
        <translation>rank %1 和 %2</translation>
    </message>
    <message>
        <source>%1 share no sample</source>
        <translation>%1 没有共享样本</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>%1 share %2</source>
        <translation>%1 共享 %2</translation>
    </message>
    <message>
        <source>Their batches are identical, in the same order.</source>
        <translation>它们的 batch 完全相同，顺序也相同。</translation>
    </message>
    <message>
        <source>One epoch: nothing to compare</source>
        <translation>只有一个 epoch：没有可比较的</translation>
    </message>
    <message>
        <source>Every epoch has a different order</source>
        <translation>每个 epoch 的顺序都不同</translation>
    </message>
    <message>
        <source>Compared: %1.</source>
        <translation>已比较：%1。</translation>
    </message>
    <message>
        <source>All %1 have the same order</source>
        <translation>全部 %1 的顺序相同</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%2 中有 %1</translation>
    </message>
    <message>
        <source>Every rank gets the same batches in both epochs.</source>
        <translation>每个 rank 在两个 epoch 中得到相同的 batch。</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>No rank has a sample: nothing to compare</source>
        <translation>没有 rank 得到样本：没有可比较的</translation>
    </message>
    <message>
        <source>The epoch is empty.</source>
        <translation>此 epoch 为空。</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Hatched cells are pairs of ranks that share padding.</source>
        <translation>带斜线的格子表示共享填充样本的 rank 对。</translation>
    </message>
    <message>
        <source>%1 has all of it, and more</source>
        <translation>%1 已包含全部内容，并且还有更多</translation>
    </message>
    <message>
        <source>Counted over all %1: no sample is read twice.</source>
        <translation>对全部 %1 计数：没有样本被读两次。</translation>
    </message>
    <message>
        <source>No two of the first %1 share a sample</source>
        <translation>前 %1 中没有两个共享样本</translation>
    </message>
    <message>
        <source>Read more than once, counted over all %1: %2.</source>
        <translation>对全部 %1 计数，被读多次的有：%2。</translation>
    </message>
    <message>
        <source>Ranks that divide one copy of the model must read the same samples.</source>
        <translation>共同承担一份模型的 rank 必须读取相同的样本。</translation>
    </message>
    <message>
        <source>Only ranks of one copy of the model share samples, padding aside</source>
        <translation>除填充外，只有同一份模型的 rank 共享样本</translation>
    </message>
    <message>
        <source>Only ranks of one copy of the model share samples</source>
        <translation>只有同一份模型的 rank 共享样本</translation>
    </message>
    <message>
        <source>all chunks</source>
        <translation>所有块</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>chunk %1</source>
        <translation>块 %1</translation>
    </message>
    <message>
        <source>chunk %1: %2</source>
        <translation>块 %1：%2</translation>
    </message>
    <message>
        <source>The rounds are drawn for groups of up to %1.</source>
        <translation>至多 %1 的组才会画出各轮。</translation>
    </message>
    <message>
        <source>Ring</source>
        <translation>环形</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>树形</translation>
    </message>
    <message>
        <source>reduce-scatter</source>
        <translation>reduce-scatter</translation>
    </message>
    <message>
        <source>all-gather</source>
        <translation>all-gather</translation>
    </message>
    <message>
        <source>reduce</source>
        <translation>reduce</translation>
    </message>
    <message>
        <source>broadcast</source>
        <translation>broadcast</translation>
    </message>
    <message>
        <source>%1, each sum divided by %2</source>
        <translation>%1，各和除以 %2</translation>
    </message>
    <message>
        <source>%1 · done after %2</source>
        <translation>%1 · %2后完成</translation>
    </message>
    <message>
        <source>%1 · round %2 of %3: %4</source>
        <translation>%1 · 第 %2 轮（共 %3 轮）：%4</translation>
    </message>
    <message>
        <source>rank %1 sends %2 to rank %3</source>
        <translation>rank %1 向 rank %3 发送 %2</translation>
    </message>
    <message>
        <source>rank %1 has %2</source>
        <translation>rank %1 得到 %2</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>after this round: %1</source>
        <translation>本轮之后：%1</translation>
    </message>
    <message>
        <source>Rounds of the all-reduce</source>
        <translation>all-reduce 的各轮</translation>
    </message>
    <message>
        <source>The more ranks a chunk is reduced from, the stronger its colour.</source>
        <translation>块中已归约的 rank 越多，颜色越深。</translation>
    </message>
    <message>
        <source>One round back</source>
        <translation>后退一轮</translation>
    </message>
    <message>
        <source>One round forward</source>
        <translation>前进一轮</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Left</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Right</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Space</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Which all-reduce</source>
        <translation>选择 all-reduce</translation>
    </message>
    <message>
        <source>All-reduce</source>
        <translation>All-reduce</translation>
    </message>
    <message>
        <source>No all_reduce to follow</source>
        <translation>没有可跟踪的 all_reduce</translation>
    </message>
    <message>
        <source>The schedule has no all_reduce that every rank of a group of two or more calls.</source>
        <translation>schedule 中没有由两个或更多 rank 组成、且组内每个 rank 都调用的 all_reduce。</translation>
    </message>
    <message>
        <source>The design has no schedule. With an all_reduce in it, its rounds are shown here.</source>
        <translation>此设计没有 schedule。加入带 all_reduce 的 schedule 后，这里会显示它的各轮。</translation>
    </message>
</context>
<context>
    <name>traces</name>
    <message>
        <source>This is not JSON, or the file was cut here.</source>
        <translation>这不是 JSON，或者文件在此处被截断。</translation>
    </message>
    <message>
        <source>Values are nested deeper than in any trace.</source>
        <translation>值的嵌套深度超过了任何 trace。</translation>
    </message>
    <message>
        <source>The pickle ends here without its last opcode: the file was cut.</source>
        <translation>pickle 在此处结束，缺少最后一个 opcode：文件被截断。</translation>
    </message>
    <message>
        <source>The pickle is damaged: an opcode finds no value to work on.</source>
        <translation>pickle 已损坏：某个 opcode 找不到要处理的值。</translation>
    </message>
    <message>
        <source>The pickle is damaged: it refers to a value that it has not stored.</source>
        <translation>pickle 已损坏：它引用了没有保存过的值。</translation>
    </message>
    <message>
        <source>The pickle names %1 (opcode GLOBAL). No dump needs it, and nothing is looked up or run.</source>
        <translation>pickle 中出现名称 %1（opcode GLOBAL）。任何 dump 都不需要它，不会查找或运行任何东西。</translation>
    </message>
    <message>
        <source>The pickle calls something (opcode REDUCE). No dump needs it, and nothing is run.</source>
        <translation>pickle 要调用某个对象（opcode REDUCE）。任何 dump 都不需要它，不会运行任何东西。</translation>
    </message>
    <message>
        <source>The pickle has protocol %1; protocols 2 to 5 are read.</source>
        <translation>pickle 的协议为 %1；可读取协议 2 到 5。</translation>
    </message>
    <message>
        <source>The pickle has the opcode %1, which no dump needs and which is not run.</source>
        <translation>pickle 中有 opcode %1，任何 dump 都不需要它，不会运行。</translation>
    </message>
    <message>
        <source>%1 was read up to byte %2 only. %3 Copy the file once more, or dump again.</source>
        <translation>%1 只读到第 %2 字节。%3请重新复制该文件，或重新 dump。</translation>
    </message>
    <message>
        <source>%1 was not read. %2</source>
        <translation>%1 未读取。%2</translation>
    </message>
    <message>
        <source>%1 was not read: its name does not end with the number of a rank.</source>
        <translation>%1 未读取：文件名没有以 rank 编号结尾。</translation>
    </message>
    <message>
        <source>%1 was left out: rank %2 is already in %3.</source>
        <translation>%1 已略过：rank %2 已在 %3 中。</translation>
    </message>
    <message>
        <source>It is not a trace that ShardLens reads: a dump of PyTorch&apos;s Flight Recorder, JSON of NCCL RAS, or JSON lines of NCCL Inspector.</source>
        <translation>这不是 ShardLens 能读取的 trace：不是 PyTorch Flight Recorder 的 dump，不是 NCCL RAS 的 JSON，也不是 NCCL Inspector 的 JSON 行。</translation>
    </message>
    <message>
        <source>Of %1 in the job, %2 left no trace: it is not known what they did.</source>
        <translation>作业共有 %1，其中 %2 没有留下 trace：它们做了什么不得而知。</translation>
    </message>
    <message>
        <source>Older operations of %1 were overwritten in the buffer; their absence says nothing. TORCH_FR_BUFFER_SIZE makes the buffer longer.</source>
        <translation>%1 较早的操作在缓冲区中已被覆盖；它们缺失并不说明什么。TORCH_FR_BUFFER_SIZE 可加长缓冲区。</translation>
    </message>
    <message>
        <source>Some operations have no times: they are shown at the time of the one before.</source>
        <translation>有些操作没有时间：它们显示在前一个操作的时间上。</translation>
    </message>
    <message>
        <source>These operations are shown, but not matched: %1.</source>
        <translation>这些操作会显示，但不做匹配：%1。</translation>
    </message>
    <message>
        <source>The dumps have version %1, which is newer than this program; it read what it knows.</source>
        <translation>这些 dump 的版本为 %1，比本程序新：只读取了已知的内容。</translation>
    </message>
    <message>
        <source>No trace could be read. %1</source>
        <translation>无法读取任何 trace。%1</translation>
    </message>
    <message>
        <source>Give the folder with the dumps of all ranks (nccl_trace_rank_0, ...), or one such file.</source>
        <translation>请给出包含所有 rank 的 dump 的文件夹（nccl_trace_rank_0 等），或其中一个文件。</translation>
    </message>
    <message>
        <source>Of several states, only the newest is shown, from %1.</source>
        <translation>在多个状态中显示最新的一个，时间为 %1。</translation>
    </message>
    <message>
        <source>NCCL RAS counts the operations that each rank has launched, and records no times. If all ranks have launched the same number, a hang does not show.</source>
        <translation>NCCL RAS 统计每个 rank 已发起的操作，不提供时间。如果所有 rank 发起的数量相同，则看不出卡住。</translation>
    </message>
    <message>
        <source>NCCL Inspector writes the last finished operation of a communicator at intervals: others are missing, and what is not finished is not written. Without NCCL_INSPECTOR_DUMP_VERBOSE=1 operations are shown as ending when they were written.</source>
        <translation>NCCL Inspector 每隔一段时间写出通信器最后完成的操作：其余操作缺失，未完成的不会写出。没有 NCCL_INSPECTOR_DUMP_VERBOSE=1 时，操作显示为在写出时结束。</translation>
    </message>
    <message>
        <source>%1 has lines that were not read, the first of them at byte %2.</source>
        <translation>%1 中有未读取的行，第一行位于第 %2 字节。</translation>
    </message>
    <message>
        <source>Files of other kinds were left out: what is shown comes from %1.</source>
        <translation>略过了其他种类的文件：显示的是 %1 的内容。</translation>
    </message>
    <message>
        <source>Lines of processes that drive several ranks, or none of the largest communicator, were left out: %1.</source>
        <translation>略过了一些行，其进程驱动多个 rank，或不属于最大的通信器：%1 行。</translation>
    </message>
</context>
<context>
    <name>verdicts</name>
    <message>
        <source>less than one run in a million</source>
        <translation>不到百万分之一次运行</translation>
    </message>
    <message>
        <source>Everyone</source>
        <translation>所有 rank</translation>
    </message>
    <message>
        <source>Neither its loading nor its computing takes that much longer: look at what it does in between.</source>
        <translation>它的加载和计算都没有慢这么多：请查看二者之间。</translation>
    </message>
    <message>
        <source>Neither their loading nor their computing takes that much longer: look at what they do in between.</source>
        <translation>它们的加载和计算都没有慢这么多：请查看二者之间。</translation>
    </message>
    <message>
        <source>Why is not known: a rank that waits for the others on its device, as with NCCL, counts as computing, so the times of computing do not tell which rank works longer.</source>
        <translation>原因未知：在设备上等待其他 rank 的 rank（例如使用 NCCL 时）算作在计算，因此计算时间不能说明哪个 rank 工作得更久。</translation>
    </message>
    <message>
        <source>Check that node: all of its ranks are late, and no others.</source>
        <translation>检查该节点：迟到的正是它的全部 rank。</translation>
    </message>
    <message>
        <source>Look for what only these ranks share: storage, a switch, long samples.</source>
        <translation>寻找只有这些 rank 共有的东西：存储、交换机、长样本。</translation>
    </message>
    <message>
        <source>Compare its lane with another rank&apos;s, then check that rank&apos;s storage and node.</source>
        <translation>将它的时间线与其他 rank 比较，再检查该 rank 的存储和节点。</translation>
    </message>
    <message>
        <source>Check the storage and the data that it reads, or raise num_workers.</source>
        <translation>检查存储及其读取的数据，或增大 num_workers。</translation>
    </message>
    <message>
        <source>Look there, then check the GPU, the CPU load and the clock rate of its node.</source>
        <translation>请查看那里，再检查其节点的 GPU、CPU 负载和时钟频率。</translation>
    </message>
    <message>
        <source>Look there, then check the CPU load and the clock rate of its node.</source>
        <translation>请查看那里，再检查其节点的 CPU 负载和时钟频率。</translation>
    </message>
    <message>
        <source>What its code does from a batch to the end of the backward pass counts as computing.</source>
        <translation>从取得 batch 到反向传播结束，其代码所做的一切都算作计算。</translation>
    </message>
    <message>
        <source>Ranks take turns being late</source>
        <translation>各 rank 轮流迟到</translation>
    </message>
    <message>
        <source>A signal had stopped it.</source>
        <translation>它曾被信号暂停。</translation>
    </message>
    <message>
        <source>Seek to that moment and look at its lane.</source>
        <translation>定位到该时刻，查看它的时间线。</translation>
    </message>
    <message>
        <source>process state T</source>
        <translation>进程状态 T</translation>
    </message>
    <message>
        <source>the times of the records</source>
        <translation>各条记录的时间</translation>
    </message>
    <message>
        <source>Seek to that moment: the lanes show what each rank was doing.</source>
        <translation>定位到该时刻：时间线显示每个 rank 当时在做什么。</translation>
    </message>
    <message>
        <source> The job cannot continue by itself.</source>
        <translation>作业自身无法继续。</translation>
    </message>
    <message>
        <source>before its first step</source>
        <translation>在第一个 step 之前</translation>
    </message>
    <message>
        <source>the exit of its process</source>
        <translation>其进程的退出</translation>
    </message>
    <message>
        <source>its last record</source>
        <translation>其最后一条记录</translation>
    </message>
    <message>
        <source>Its last lines say why.</source>
        <translation>其最后几行输出说明了原因。</translation>
    </message>
    <message>
        <source>The job failed</source>
        <translation>作业失败</translation>
    </message>
    <message>
        <source>the exit code</source>
        <translation>退出代码</translation>
    </message>
    <message>
        <source>The job did not start</source>
        <translation>作业没有启动</translation>
    </message>
    <message>
        <source>the job</source>
        <translation>作业</translation>
    </message>
    <message>
        <source>Ranks are in different collectives</source>
        <translation>各 rank 处于不同的集合通信</translation>
    </message>
    <message>
        <source>The job does not follow the plan</source>
        <translation>作业没有按计划执行</translation>
    </message>
    <message>
        <source>fingerprints of the batches&apos; sample ids</source>
        <translation>batch 中样本 id 的指纹</translation>
    </message>
    <message>
        <source>`shardlens verify SPEC RUNFILE` lists what differs.</source>
        <translation>`shardlens verify SPEC RUNFILE` 会列出差异。</translation>
    </message>
    <message>
        <source>Ranks wait for each other</source>
        <translation>各 rank 互相等待（死锁）</translation>
    </message>
    <message>
        <source>Make all ranks call the operations of their groups in the same order.</source>
        <translation>请让所有 rank 以相同顺序调用各组的操作。</translation>
    </message>
    <message>
        <source>different operations</source>
        <translation>不同的操作</translation>
    </message>
    <message>
        <source>all ranks have entered, none has left</source>
        <translation>所有 rank 都已进入，没有一个离开</translation>
    </message>
    <message>
        <source>No rank has reported yet</source>
        <translation>还没有 rank 上报</translation>
    </message>
    <message>
        <source>See where a rank hangs: %1. MPI_Init waits for every rank and for the network.</source>
        <translation>查看 rank 卡在哪里：%1。MPI_Init 会等待每个 rank 和网络。</translation>
    </message>
    <message>
        <source>The recording has no end</source>
        <translation>运行记录没有结尾</translation>
    </message>
    <message>
        <source>The records up to that point are shown.</source>
        <translation>显示的是此前记录的内容。</translation>
    </message>
    <message>
        <source>Records were lost</source>
        <translation>有记录丢失</translation>
    </message>
    <message>
        <source>rank table, column dropped</source>
        <translation>rank 表的 dropped 列</translation>
    </message>
    <message>
        <source>Waits and matches are incomplete where records are missing.</source>
        <translation>缺少记录处的等待和比较不完整。</translation>
    </message>
    <message>
        <source>Some members of groups are unknown</source>
        <translation>部分组的成员未知</translation>
    </message>
    <message>
        <source>groups without members</source>
        <translation>没有成员的组</translation>
    </message>
    <message>
        <source>Operations in these groups are shown, but not matched or judged.</source>
        <translation>这些组中的操作会显示，但不做匹配和判断。</translation>
    </message>
    <message>
        <source>Clocks cannot be compared</source>
        <translation>时钟无法比较</translation>
    </message>
    <message>
        <source>The offset between the clocks of the hosts is not known.</source>
        <translation>各主机时钟之间的偏差未知。</translation>
    </message>
    <message>
        <source>clock_error_us is null</source>
        <translation>clock_error_us 为 null</translation>
    </message>
    <message>
        <source>Waits between ranks of different hosts are not measured.</source>
        <translation>不同主机的 rank 之间的等待不做测量。</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation>（%1）</translation>
    </message>
    <message>
        <source>in total, the ranks waited %1</source>
        <translation>各 rank 共等待 %1</translation>
    </message>
    <message>
        <source>one run in %1</source>
        <translation>每 %1 次运行一次</translation>
    </message>
    <message>
        <source>%1 and %2 (each operation has its own count, from 0)</source>
        <translation>%1 和 %2（每种操作单独从 0 起计数）</translation>
    </message>
    <message>
        <source>step %1 of epoch %2</source>
        <translation>epoch %2 step %1</translation>
    </message>
    <message>
        <source>in epoch %1</source>
        <translation>在 epoch %1</translation>
    </message>
    <message>
        <source>since %1</source>
        <translation>自 %1 起</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>从 %1 到 %2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>step %1</translation>
    </message>
    <message>
        <source>%1, all on %2</source>
        <translation>%1（都在 %2）</translation>
    </message>
    <message>
        <source>The rest%1</source>
        <translation>其余 rank%1</translation>
    </message>
    <message>
        <source>All%1</source>
        <translation>全部 rank%1</translation>
    </message>
    <message>
        <source>%1 waited for %2</source>
        <translation>%1 等待过 %2</translation>
    </message>
    <message>
        <source>%1 wait for %2</source>
        <translation>%1 在等待 %2</translation>
    </message>
    <message>
        <source>%1 waits for %2</source>
        <translation>%1 在等待 %2</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 comes last in %2 of %3, %4 after the others (median).</source>
        <translation>%1 在 %3中有 %2 次最后到达，比其他 rank 晚 %4（中位数）。</translation>
    </message>
    <message>
        <source>%1 came last in %2 of %3, %4 after the others (median).</source>
        <translation>%1 在 %3中有 %2 次最后到达，比其他 rank 晚 %4（中位数）。</translation>
    </message>
    <message>
        <source>One of %1 comes last in %2 of %3, and all of them %4 after the others (median).</source>
        <translation>%1 之一在 %3中有 %2 次最后到达，它们都比其他 rank 晚 %4（中位数）。</translation>
    </message>
    <message>
        <source>One of %1 came last in %2 of %3, and all of them %4 after the others (median).</source>
        <translation>%1 之一在 %3中有 %2 次最后到达，它们都比其他 rank 晚 %4（中位数）。</translation>
    </message>
    <message>
        <source>It spends %1 loading a batch, the others %2.</source>
        <translation>它加载一个 batch 用时 %1，其他 rank 用时 %2。</translation>
    </message>
    <message>
        <source>It spends %1 computing a step, the others %2.</source>
        <translation>它计算一个 step 用时 %1，其他 rank 用时 %2。</translation>
    </message>
    <message>
        <source>They spend %1 loading a batch, the others %2.</source>
        <translation>它们加载一个 batch 用时 %1，其他 rank 用时 %2。</translation>
    </message>
    <message>
        <source>They spend %1 computing a step, the others %2.</source>
        <translation>它们计算一个 step 用时 %1，其他 rank 用时 %2。</translation>
    </message>
    <message>
        <source>Fixing it would save %1 of %2 (%3).</source>
        <translation>修复它可从 %2 中节省 %1（%3）。</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>最多 %1</translation>
    </message>
    <message>
        <source>Fixing all of them would save %1 of %2 (%3); fixing one alone would save %4.</source>
        <translation>全部修复可从 %2 中节省 %1（%3）；只修复一个可节省 %4。</translation>
    </message>
    <message>
        <source>%1 for it; chance alone does this in %2</source>
        <translation>%1；纯属偶然的概率：%2</translation>
    </message>
    <message>
        <source>%1 for them; chance alone does this in %2</source>
        <translation>%1；纯属偶然的概率：%2</translation>
    </message>
    <message>
        <source>Ranks take turns being late, in %1</source>
        <translation>各 rank 轮流迟到，在 %1 中</translation>
    </message>
    <message>
        <source>In %1, the last rank arrives %2 after the median one on average, which costs %3 of the time; no rank is the last in more than %4 of them, and fixing any single rank would save at most %5.</source>
        <translation>在 %1中，最后到达的 rank 平均比中位 rank 晚 %2，损失 %3 的时间；没有 rank 最后到达的比例超过 %4，修复任何单个 rank 最多节省 %5。</translation>
    </message>
    <message>
        <source>%1 was stopped for %2</source>
        <translation>%1 被暂停了 %2</translation>
    </message>
    <message>
        <source>A signal stopped it %1 after the start; it reported nothing after that.</source>
        <translation>启动后 %1 它被一个信号暂停；此后没有再上报。</translation>
    </message>
    <message>
        <source>A signal stopped it %1 after the start, and another one resumed it.</source>
        <translation>启动后 %1 它被一个信号暂停，又被另一个信号恢复。</translation>
    </message>
    <message>
        <source>No rank reported in the first %1</source>
        <translation>最初 %1 内没有 rank 上报</translation>
    </message>
    <message>
        <source>The first record came %1 after the launch.</source>
        <translation>第一条记录在启动后 %1 到达。</translation>
    </message>
    <message>
        <source>No rank made progress for %1</source>
        <translation>%1 内没有 rank 前进</translation>
    </message>
    <message>
        <source>No rank reported anything from %1 to %2 after the start; then the job continued.</source>
        <translation>启动后 %1 至 %2 没有 rank 上报；之后作业继续运行。</translation>
    </message>
    <message>
        <source>no record of any rank for %1</source>
        <translation>%1 内没有任何 rank 的记录</translation>
    </message>
    <message>
        <source> %1 waits for it in %2.</source>
        <translation>%1 在 %2 中等待它。</translation>
    </message>
    <message>
        <source> %1 wait for it in %2.</source>
        <translation>%1 在 %2 中等待它。</translation>
    </message>
    <message>
        <source> %1 waits for them in %2.</source>
        <translation>%1 在 %2 中等待它们。</translation>
    </message>
    <message>
        <source> %1 wait for them in %2.</source>
        <translation>%1 在 %2 中等待它们。</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>在 %1</translation>
    </message>
    <message>
        <source> %1 share %2, so waits include CPU scheduling.</source>
        <translation>%1 共用 %2，因此等待时间包含 CPU 调度。</translation>
    </message>
    <message>
        <source> On %1, %2 share %3, so waits include CPU scheduling.</source>
        <translation>在 %1 上，%2 共用 %3，因此等待时间包含 CPU 调度。</translation>
    </message>
    <message>
        <source>%1 died</source>
        <translation>%1 已终止</translation>
    </message>
    <message>
        <source>Look at the last lines of %1; the kernel&apos;s log says whether it ran out of memory.</source>
        <translation>查看 %1 的最后几行输出；内核日志会说明是否内存不足。</translation>
    </message>
    <message>
        <source>%1 was ended by %2.</source>
        <translation>%1 被 %2 终止。</translation>
    </message>
    <message>
        <source>%1 ended with code %2.</source>
        <translation>%1 以代码 %2 退出。</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 失败</translation>
    </message>
    <message>
        <source>%1 gave up</source>
        <translation>%1 主动放弃</translation>
    </message>
    <message>
        <source>%1 ended itself with code %2 %3.</source>
        <translation>%1 以代码 %2 自行退出，当时%3。</translation>
    </message>
    <message>
        <source>%1 ran out of batches</source>
        <translation>%1 的 batch 已用完</translation>
    </message>
    <message>
        <source>%1 ran out at step %2 of epoch %3:</source>
        <translation>%1 在 epoch %3 step %2 用完了 batch：</translation>
    </message>
    <message>
        <source>At the same point of %1, %2 is in %3 and %4 in %5.</source>
        <translation>在%1的同一处，%2 在 %3 中，而 %4 在 %5 中。</translation>
    </message>
    <message>
        <source>At the same point of %1, %2 are in %3 and %4 in %5.</source>
        <translation>在%1的同一处，%2 在 %3 中，而 %4 在 %5 中。</translation>
    </message>
    <message>
        <source>step %1 of epoch %2 of rank %3</source>
        <translation>rank %3 epoch %2 step %1</translation>
    </message>
    <message>
        <source>1 batch of %1 does not match the plan; the first is %2.</source>
        <translation>%1 有 1 个 batch 与计划不一致；第一处是 %2。</translation>
    </message>
    <message>
        <source>%1 batches of %2 do not match the plan; the first is %3.</source>
        <translation>%2 有 %1 个 batch 与计划不一致；第一处是 %3。</translation>
    </message>
    <message>
        <source>%1 wait for each other: %2, and so on.</source>
        <translation>%1 互相等待：%2，等等。</translation>
    </message>
    <message>
        <source>%1 wait for each other: %2.</source>
        <translation>%1 互相等待：%2。</translation>
    </message>
    <message>
        <source>%1 is done</source>
        <translation>%1 已完成</translation>
    </message>
    <message>
        <source>%1 are done</source>
        <translation>%1 已完成</translation>
    </message>
    <message>
        <source>%1 while others wait</source>
        <translation>%1，而其他 rank 在等待</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>%1 is stopped</source>
        <translation>%1 被暂停</translation>
    </message>
    <message>
        <source>%1 (pid %2) has been stopped by a signal for %3, %4.</source>
        <translation>%1（pid %2）被信号暂停了 %3，当时%4。</translation>
    </message>
    <message>
        <source>kill -CONT %1 resumes it.</source>
        <translation>kill -CONT %1 可使其继续。</translation>
    </message>
    <message>
        <source>%1 makes no progress</source>
        <translation>%1 没有进展</translation>
    </message>
    <message>
        <source>%1 make no progress</source>
        <translation>%1 没有进展</translation>
    </message>
    <message>
        <source>%1 has been %2 %3 for %4.</source>
        <translation>%1 %3的状态为“%2”，已持续 %4。</translation>
    </message>
    <message>
        <source>%1 have been %2 %3 for %4.</source>
        <translation>%1 %3的状态为“%2”，已持续 %4。</translation>
    </message>
    <message>
        <source>See where it hangs: %1</source>
        <translation>查看它卡在哪里：%1</translation>
    </message>
    <message>
        <source>No rank makes progress inside %1</source>
        <translation>没有 rank 能走出 %1</translation>
    </message>
    <message>
        <source>All ranks have been inside %1 for %2.</source>
        <translation>所有 rank 停留在 %1 中已有 %2。</translation>
    </message>
    <message>
        <source>The job was launched %1 ago, and no rank has reported yet: all hang before their first step, or are still loading.</source>
        <translation>作业已启动 %1，还没有 rank 上报：它们都卡在第一个 step 之前，或仍在加载。</translation>
    </message>
    <message>
        <source>Ranks take part in %1 whose members no record lists, or about whose members records disagree.</source>
        <translation>各 rank 参与了 %1，但没有记录列出其成员，或记录之间不一致。</translation>
    </message>
    <message>
        <source>was ended by %1 %2, after it had reported its end</source>
        <translation>被 %1 终止，当时%2，且已上报结束</translation>
    </message>
    <message>
        <source>ended with code %1 %2, after it had reported its end</source>
        <translation>以代码 %1 退出，当时%2，且已上报结束</translation>
    </message>
    <message>
        <source>ended %1, after it had reported its end</source>
        <translation>退出，当时%1，且已上报结束</translation>
    </message>
    <message>
        <source>%1 (pid %2) %3.</source>
        <translation>%1（pid %2）%3。</translation>
    </message>
    <message>
        <source>its process disappeared %1 into the run</source>
        <translation>其进程在运行 %1 时消失</translation>
    </message>
    <message>
        <source>%1 The recorder was killed or could not write, or the file was cut; it is not known whether or how the job continued.</source>
        <translation>%1 记录程序被杀死或无法写入，或文件被截断；作业是否及如何继续运行未知。</translation>
    </message>
    <message>
        <source>Parts of the recording are damaged.</source>
        <translation>记录的部分内容已损坏。</translation>
    </message>
    <message>
        <source>The numbers of operations have gaps, so records are missing.</source>
        <translation>操作编号不连续，因此缺少记录。</translation>
    </message>
    <message>
        <source>The recording lacks what ranks did last.</source>
        <translation>各 rank 最后所做的操作不在记录中。</translation>
    </message>
    <message>
        <source>Records are missing</source>
        <translation>缺少记录</translation>
    </message>
    <message>
        <source>%1 Counts and times of %2 are lower bounds, and shares of time refer to what was recorded.</source>
        <translation>%1 %2 的计数和时间不少于所示，时间占比按已记录的部分计算。</translation>
    </message>
    <message>
        <source>damaged bytes in the recording</source>
        <translation>记录中损坏的字节</translation>
    </message>
    <message>
        <source>gaps in the numbers of operations</source>
        <translation>缺失的操作编号</translation>
    </message>
    <message>
        <source>the operations that ranks say they are in are ahead of their records</source>
        <translation>各 rank 所报告的当前状态超前于其记录</translation>
    </message>
    <message>
        <source>`shardlens verify SPEC RUN` says which batches were recorded.</source>
        <translation>`shardlens verify SPEC RUN` 会说明记录了哪些 batch。</translation>
    </message>
    <message>
        <source>while loading</source>
        <translation>在加载时</translation>
    </message>
    <message>
        <source>outside any operation that ShardLens sees</source>
        <translation>在可观察的操作之外</translation>
    </message>
    <message>
        <source>%1 has been outside any operation that ShardLens sees for %2.</source>
        <translation>%1 处于可观察的操作之外已有 %2。</translation>
    </message>
    <message>
        <source>%1 have been outside any operation that ShardLens sees for %2.</source>
        <translation>%1 处于可观察的操作之外已有 %2。</translation>
    </message>
    <message>
        <source>Not all ranks of this command are shown</source>
        <translation>并未显示此命令的所有 rank</translation>
    </message>
    <message>
        <source>Not all ranks of this command are seen</source>
        <translation>并未观察到此命令的所有 rank</translation>
    </message>
    <message>
        <source>%1 of %2 has not reported, so it is not known who waits for it.</source>
        <translation>%2 中的%1没有报告。谁在等待它是未知的。</translation>
    </message>
    <message>
        <source>%1 of %2 have not reported, so it is not known who waits for them.</source>
        <translation>%2 中的%1没有报告。谁在等待它们是未知的。</translation>
    </message>
    <message>
        <source>Ranks on other hosts and statically linked programs are not seen; a launcher may also fail to pass on the environment.</source>
        <translation>无法观察其他主机上的 rank 和静态链接的程序；启动器也可能不传递环境变量。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Ranks give different sizes to %1</source>
        <translation>各 rank 给 %1 的大小不同</translation>
    </message>
    <message>
        <source>All ranks must give the same size to %1. %2; %3.</source>
        <translation>所有 rank 必须给 %1 相同的大小。%2；%3。</translation>
    </message>
    <message>
        <source>the sizes in the records of this operation</source>
        <translation>此操作的记录中的大小</translation>
    </message>
    <message>
        <source>Compare count and datatype of this call on these ranks.</source>
        <translation>请比较这些 rank 上此调用的 count 和 datatype。</translation>
    </message>
    <message>
        <source> Its loader worker %1 has the batch that it waits for.</source>
        <translation>它等待的 batch 在其加载 worker %1 手中。</translation>
    </message>
    <message>
        <source> Its loader worker %1, which has the batch that it waits for, is %2.</source>
        <translation>它等待的 batch 在其加载 worker %1 手中，该 worker %2。</translation>
    </message>
    <message>
        <source> Its loader worker %1, which has the batch that it waits for, reads sample %2 %3.</source>
        <translation>它等待的 batch 在其加载 worker %1 手中，该 worker 正在读取 sample %2，%3。</translation>
    </message>
    <message>
        <source>in %1() at %2</source>
        <translation>位于 %2 的 %1()</translation>
    </message>
    <message>
        <source> %1 reads sample %2 %3.</source>
        <translation>%1 正在读取 sample %2，%3。</translation>
    </message>
    <message>
        <source> %1 is %2.</source>
        <translation>%1 %2。</translation>
    </message>
    <message>
        <source>Look at %1, where worker %2 of rank %3 is.</source>
        <translation>请查看 %1：rank %3 的 worker %2 停在那里。</translation>
    </message>
    <message>
        <source>Look at %1, where rank %2 is.</source>
        <translation>请查看 %1：rank %2 停在那里。</translation>
    </message>
    <message>
        <source>In %1 of %2 samples of its code, taken while it reported nothing, rank %3 was %4.</source>
        <translation>在 rank %3 没有任何上报期间对其代码的 %2 次采样中，有 %1 次它%4。</translation>
    </message>
    <message>
        <source>Look at %1, where rank %2 was.</source>
        <translation>请查看 %1：rank %2 当时就在那里。</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>位于 %1</translation>
    </message>
    <message>
        <source>%1 (scheduled)</source>
        <translation>%1（已排队）</translation>
    </message>
    <message>
        <source>%1 (started)</source>
        <translation>%1（已开始）</translation>
    </message>
    <message>
        <source>%1 (completed)</source>
        <translation>%1（已完成）</translation>
    </message>
    <message>
        <source>%1, called at %2</source>
        <translation>%1，调用位置为 %2</translation>
    </message>
    <message>
        <source>the newest operations in the traces of the ranks</source>
        <translation>各 rank 的 trace 中最新的操作</translation>
    </message>
    <message>
        <source> A trace shows one moment: if the job continued after it, take another one and compare their numbers.</source>
        <translation>trace 只是一个瞬间：如果作业之后仍在继续，请再取一次并比较编号。</translation>
    </message>
    <message>
        <source>%1 is in %2.</source>
        <translation>%1 在 %2 中。</translation>
    </message>
    <message>
        <source>%1 are in %2.</source>
        <translation>%1 在 %2 中。</translation>
    </message>
    <message>
        <source>The trace of %1 ends with %2.</source>
        <translation>%1 的 trace 以 %2 结束。</translation>
    </message>
    <message>
        <source>The traces of %1 end with %2.</source>
        <translation>%1 的 trace 以 %2 结束。</translation>
    </message>
    <message>
        <source>The trace of %1 holds no operation.</source>
        <translation>%1 的 trace 中没有操作。</translation>
    </message>
    <message>
        <source>The traces of %1 hold no operation.</source>
        <translation>%1 的 trace 中没有操作。</translation>
    </message>
    <message>
        <source>Find out what the rank did after that call: from its own log, or with py-spy dump while it runs.</source>
        <translation>查明该 rank 在那次调用之后做了什么：看它自己的日志，或在它运行时用 py-spy dump。</translation>
    </message>
    <message>
        <source>See where the rank is: py-spy dump while it runs, or its log. Dumps in the form of pickles also hold the Python stack of each call.</source>
        <translation>查看该 rank 在哪里：在它运行时用 py-spy dump，或看它的日志。pickle 形式的 dump 还包含每次调用的 Python 栈。</translation>
    </message>
    <message>
        <source>%1 has not reached %2</source>
        <translation>%1 没有到达 %2</translation>
    </message>
    <message>
        <source>%1 have not reached %2</source>
        <translation>%1 没有到达 %2</translation>
    </message>
    <message>
        <source>Every rank with a trace waits in %1</source>
        <translation>有 trace 的 rank 都在 %1 中等待</translation>
    </message>
    <message>
        <source> %1 left no trace, so it is not known whether it got there.</source>
        <translation>%1 没有留下 trace：是否已到达不得而知。</translation>
    </message>
    <message>
        <source> %1 left no trace, so it is not known whether they got there.</source>
        <translation>%1 没有留下 trace：是否已到达不得而知。</translation>
    </message>
    <message>
        <source>Look for the traces of %1 on their hosts, and check whether their processes still run: a rank that died writes none.</source>
        <translation>在相应主机上查找 %1 的 trace，并查看其进程是否仍在运行：已终止的 rank 不会写出 trace。</translation>
    </message>
    <message>
        <source>All ranks have reached %1, and it has not completed</source>
        <translation>所有 rank 都已到达 %1，但它没有结束</translation>
    </message>
    <message>
        <source>all ranks have called it, and none has completed it</source>
        <translation>所有 rank 都已调用它，没有一个完成</translation>
    </message>
    <message>
        <source>Look at the network, the devices, and what the devices do before this operation. If only some ranks have started it, look at the devices of the others.</source>
        <translation>请检查网络和设备，以及设备在此之前的工作。如果只有部分 rank 已开始，请查看其他 rank 的设备。</translation>
    </message>
    <message>
        <source>%1 wait for each other.</source>
        <translation>%1 互相等待。</translation>
    </message>
    <message>
        <source>Not all ranks have a trace</source>
        <translation>并非所有 rank 都有 trace</translation>
    </message>
    <message>
        <source>%1 of %2 left none, so it is not known who waits for it.</source>
        <translation>%1（共 %2）没有留下 trace。谁在等待它不得而知。</translation>
    </message>
    <message>
        <source>%1 of %2 left none, so it is not known who waits for them.</source>
        <translation>%1（共 %2）没有留下 trace。谁在等待它们不得而知。</translation>
    </message>
    <message>
        <source>Collect the traces of all hosts into one folder.</source>
        <translation>请把所有主机的 trace 收集到一个文件夹中。</translation>
    </message>
    <message>
        <source>Some traces were not read to their end</source>
        <translation>有些 trace 没有读到末尾</translation>
    </message>
    <message>
        <source>What %1 did last is not known, so it is not blamed.</source>
        <translation>%1 最后做了什么不得而知，因此不归咎于它。</translation>
    </message>
    <message>
        <source>What %1 did last is not known, so they are not blamed.</source>
        <translation>%1 最后做了什么不得而知，因此不归咎于它们。</translation>
    </message>
    <message>
        <source>the note says which file, and up to which byte</source>
        <translation>说明中有文件名以及读到的字节位置</translation>
    </message>
    <message>
        <source>Copy these files once more, or dump again.</source>
        <translation>请重新复制这些文件，或重新 dump。</translation>
    </message>
    <message>
        <source>The traces do not say how far apart the clocks of the ranks&apos; hosts are, and no operations of all ranks reveal it.</source>
        <translation>trace 没有说明各 rank 所在主机的时钟相差多少，也没有所有 rank 共同的操作可以推断。</translation>
    </message>
    <message>
        <source>Waits between these ranks are not measured. Which operation each rank has reached does not depend on clocks.</source>
        <translation>这些 rank 之间的等待没有测量。各 rank 到达了哪个操作与时钟无关。</translation>
    </message>
    <message>
        <source> (pid %1 on %2)</source>
        <translation>（%2 上的 pid %1）</translation>
    </message>
    <message>
        <source>%1 is considered dead</source>
        <translation>%1 被视为已终止</translation>
    </message>
    <message>
        <source>%1 are considered dead</source>
        <translation>%1 被视为已终止</translation>
    </message>
    <message>
        <source>%1 does not answer</source>
        <translation>%1 没有应答</translation>
    </message>
    <message>
        <source>%1 do not answer</source>
        <translation>%1 没有应答</translation>
    </message>
    <message>
        <source>%1 has lost %2%3 for good.</source>
        <translation>%1 已彻底失去 %2%3。</translation>
    </message>
    <message>
        <source>%1 gets no answer from %2%3.</source>
        <translation>%1 得不到 %2%3 的应答。</translation>
    </message>
    <message>
        <source>what %1 says about its processes</source>
        <translation>%1 对其进程的说明</translation>
    </message>
    <message>
        <source>Check on its host whether the process still runs, and read its last lines; the kernel&apos;s log says whether it ran out of memory.</source>
        <translation>在其主机上查看进程是否仍在运行，并查看它最后的输出；内核日志会说明是否内存耗尽。</translation>
    </message>
    <message>
        <source>%1 has been %2 for %3.</source>
        <translation>%1 的状态为“%2”，已持续 %3。</translation>
    </message>
    <message>
        <source>%1 have been %2 for %3.</source>
        <translation>%1 的状态为“%2”，已持续 %3。</translation>
    </message>
    <message>
        <source>The processes that were started are not one world of %1: the first reports a world of %2. Only that world is shown.</source>
        <translation>启动的进程并没有组成一个有 %1 的 world：第一个进程报告的 world 有 %2。只显示该 world。</translation>
    </message>
    <message>
        <source>Start them with the launcher that makes them one world: mpirun, srun or torchrun.</source>
        <translation>请用能让它们组成同一个 world 的启动器来启动：mpirun、srun 或 torchrun。</translation>
    </message>
    <message>
        <source>Read its output: the recording keeps it.</source>
        <translation>请看它的输出：记录中保留着。</translation>
    </message>
    <message>
        <source>%1 had no batch left after %2 of epoch %3, and ended. %4 had more, and gave up.</source>
        <translation>%1 在 epoch %3 的 %2 之后已没有 batch，随即结束。%4 还有更多，于是放弃。</translation>
    </message>
    <message>
        <source>the order in which the ranks ended</source>
        <translation>各 rank 结束的顺序</translation>
    </message>
    <message>
        <source>%1 after the start</source>
        <translation>开始后 %1</translation>
    </message>
    <message>
        <source>The others wait for %1 now and then</source>
        <translation>其他 rank 不时等待 %1</translation>
    </message>
    <message>
        <source>The others wait for %1 now and then, in %2</source>
        <translation>其他 rank 不时等待 %1（%2）</translation>
    </message>
    <message>
        <source> (the first time in %1)</source>
        <translation>（第一次在 %1）</translation>
    </message>
    <message>
        <source>In %1 out of %2, the others waited for %3, typically %4%5. That is %6 of the %7 that ranks waited for each other.</source>
        <translation>在 %2 次中的 %1 里，其他 rank 等待 %3，通常为 %4%5。这占各 rank 互相等待的 %7 中的 %6。</translation>
    </message>
    <message>
        <source>Look at what it does after the backward pass: the optimizer, logging, checkpoints, validation.</source>
        <translation>请查看它在反向传播之后做什么：优化器、日志、检查点、验证。</translation>
    </message>
    <message>
        <source>Look for what makes some of its batches slow to read: one loader worker, large samples, a cold cache.</source>
        <translation>请找出使它的某些 batch 读取缓慢的原因：某个加载 worker、大样本、冷缓存。</translation>
    </message>
    <message>
        <source>The rank waits for its data</source>
        <translation>该 rank 在等待数据</translation>
    </message>
    <message>
        <source>All ranks wait for their data</source>
        <translation>所有 rank 都在等待数据</translation>
    </message>
    <message>
        <source>The rank waited %1 of %2 for batches</source>
        <translation>该 rank 在 %2 中有 %1 在等待 batch</translation>
    </message>
    <message>
        <source>The typical rank waited %1 of %2 for batches</source>
        <translation>典型的 rank 在 %2 中有 %1 在等待 batch</translation>
    </message>
    <message>
        <source>the times between asking a loader for a batch and having it</source>
        <translation>从向加载器要 batch 到得到它的时间</translation>
    </message>
    <message>
        <source>Ranks waited %1 in sends, receives and other operations that do not tell who is late: %2 of the time of all ranks. Rank %3 waited longest (%4), rank %5 shortest (%6).</source>
        <translation>各 rank 在发送、接收以及其他看不出谁迟到的操作中共等待 %1，占所有 rank 时间的 %2。rank %3 等待最久（%4），rank %5 最短（%6）。</translation>
    </message>
    <message>
        <source>Begin with rank %1: the rank that waits least may be the one that the others wait for. Compare its lane with theirs.</source>
        <translation>请从 rank %1 开始：等待最少的可能正是其他 rank 所等的。请将它的泳道与其他的比较。</translation>
    </message>
    <message>
        <source>The waits for %1 that stand out: %2.</source>
        <translation>对 %1 的明显等待：%2。</translation>
    </message>
    <message>
        <source>Seek to these moments and look at its lane.</source>
        <translation>请跳到这些时刻并查看它的泳道。</translation>
    </message>
    <message>
        <source>No rank reported anything from %1 to %2 after the start.</source>
        <translation>启动后 %1 至 %2 没有 rank 上报。</translation>
    </message>
    <message>
        <source>%1 reached the end while others wait</source>
        <translation>%1 已到结尾，而其他 rank 仍在等待</translation>
    </message>
    <message>
        <source>Look in the output for an exception of that rank. If there is none, make all ranks call the operations of their groups in the same order.</source>
        <translation>请在输出中查找该 rank 的异常。如果没有，请让所有 rank 以相同的顺序调用各组的操作。</translation>
    </message>
    <message>
        <source>Find out who stopped it: a debugger, a batch system, or Ctrl+Z in its terminal.</source>
        <translation>请查明是谁停止了它：调试器、批处理系统，还是其终端中的 Ctrl+Z。</translation>
    </message>
    <message>
        <source>When it hangs again, see where: %1</source>
        <translation>再次挂起时，请查看停在哪里：%1</translation>
    </message>
    <message>
        <source>In all, it spent %1 loading, the others typically %2.</source>
        <translation>它总共用了 %1 加载，其他 rank 通常为 %2。</translation>
    </message>
    <message>
        <source>In all, it spent %1 computing, the others typically %2.</source>
        <translation>它总共用了 %1 计算，其他 rank 通常为 %2。</translation>
    </message>
    <message>
        <source>%1. The rest is computing and communicating; other work is not measured.</source>
        <translation>%1。其余是计算和通信；其他工作没有测量。</translation>
    </message>
    <message>
        <source>Raise num_workers while there are cores, or make samples cheaper to read. To keep up with the rest, batches would have to come at most %1 times as fast.</source>
        <translation>在有空闲核心时增大 num_workers，或降低读取样本的开销。要跟上其余部分，batch 的到来最多需要快到 %1 倍。</translation>
    </message>
    <message>
        <source>Ranks wait for each other; which one is late is unknown</source>
        <translation>各 rank 互相等待；哪一个迟到未知</translation>
    </message>
    <message>
        <source>%1 reached MPI_Finalize or the end of the program, perhaps after an exception.</source>
        <translation>%1 到达了 MPI_Finalize 或程序的结尾，可能是在发生异常之后。</translation>
    </message>
    <message>
        <source>They are late for different reasons; this is that of %1.</source>
        <translation>它们迟到的原因各不相同；这是 %1 的原因。</translation>
    </message>
    <message>
        <source>The command started ranks more than once. Only the first start is shown here, with %1.</source>
        <translation>此命令不止一次启动了 rank。此处只显示第一次启动（%1）。</translation>
    </message>
    <message>
        <source>Give each start its own `shardlens run`. `shardlens capture` says what PyTorch&apos;s loaders read in every start.</source>
        <translation>请分别用单独的 `shardlens run` 运行它们。每次启动中 PyTorch 加载器读取的内容，可用 `shardlens capture` 查看。</translation>
    </message>
    <message>
        <source>Give every rank the same number of batches and of collectives; `shardlens audit` names the ranks that get fewer batches. A rank that skips a backward pass or makes an extra one has the same effect.</source>
        <translation>让每个 rank 的 batch 数和集合通信次数都相同；`shardlens audit` 会指出哪些 rank 的 batch 更少。少做或多做一次反向传播的 rank 也有同样的后果。</translation>
    </message>
    <message>
        <source>after %1 of epoch %2</source>
        <translation>在 epoch %2 的 %1 之后</translation>
    </message>
    <message>
        <source>%1 ended before the others</source>
        <translation>%1 先于其他 rank 结束</translation>
    </message>
    <message>
        <source>%1 ended without an error %2. Others went on, and %3 gave up.</source>
        <translation>%1 无错误地结束，当时%2。其他 rank 继续运行，随后 %3 放弃。</translation>
    </message>
    <message>
        <source>Look in the program for code that ends a rank early, such as sys.exit(0) or a return: all ranks must reach the same operations.</source>
        <translation>请在程序中查找使 rank 提前结束的代码，例如 sys.exit(0) 或 return：所有 rank 都必须到达相同的操作。</translation>
    </message>
    <message>
        <source>%1 has been %2 for %3, and waits in no operation that ShardLens sees.</source>
        <translation>%1 %2已有 %3，且不在任何可观察的操作中等待。</translation>
    </message>
    <message>
        <source>%1 have been %2 for %3, and wait in no operation that ShardLens sees.</source>
        <translation>%1 %2已有 %3，且不在任何可观察的操作中等待。</translation>
    </message>
    <message>
        <source>Look at the last lines of %1.</source>
        <translation>查看 %1 的最后几行输出。</translation>
    </message>
    <message>
        <source>%1 of %2 has not reported so far, so it is not known who waits for it.</source>
        <translation>%2 中的%1到目前为止没有报告。谁在等待它是未知的。</translation>
    </message>
    <message>
        <source>%1 of %2 have not reported so far, so it is not known who waits for them.</source>
        <translation>%2 中的%1到目前为止没有报告。谁在等待它们是未知的。</translation>
    </message>
    <message>
        <source>was ended by %1; it was last seen %2</source>
        <translation>被 %1 终止；最后一次看到它时%2</translation>
    </message>
    <message>
        <source>ended with code %1 without reporting its end; it was last seen %2</source>
        <translation>以代码 %1 退出，没有上报结束；最后一次看到它时%2</translation>
    </message>
    <message>
        <source>ended without reporting its end; it was last seen %1</source>
        <translation>退出，没有上报结束；最后一次看到它时%1</translation>
    </message>
    <message>
        <source> %1 ended as well.</source>
        <translation>%1 也结束了。</translation>
    </message>
    <message>
        <source>all ranks together waited %1 then</source>
        <translation>当时所有 rank 共等待 %1</translation>
    </message>
    <message>
        <source>The others waited %1 for %2 to start</source>
        <translation>其他 rank 等待 %2 启动，用了 %1</translation>
    </message>
    <message>
        <source>%1 after the start, the others began to wait for %2, which had not begun to load its first batch. It came %3 later.</source>
        <translation>开始后 %1，其他 rank 开始等待 %2，后者当时还没有开始加载第一个 batch，%3 之后才到。</translation>
    </message>
    <message>
        <source>Ranks take different times to start. If it is always this one, look at what it does before its first batch.</source>
        <translation>各 rank 启动所需的时间不同。如果总是这一个，请查看它在第一个 batch 之前做了什么。</translation>
    </message>
    <message>
        <source>Then the job continued.</source>
        <translation>之后作业继续运行。</translation>
    </message>
    <message>
        <source>The others waited %1 for %2</source>
        <translation>其他 rank 等待了 %2 %1</translation>
    </message>
    <message>
        <source>%1 after the start, the others began to wait %2 for %3.</source>
        <translation>开始后 %1，其他 rank 开始等待 %3，持续 %2。</translation>
    </message>
    <message>
        <source>In %1, %2 after the start, the others waited %3 for %4.</source>
        <translation>在 %1（启动后 %2），其他 rank 为 %4 等待了 %3。</translation>
    </message>
    <message>
        <source>%1 waits for %2 stand out, %3 in all</source>
        <translation>对 %2 的等待有 %1 次特别长，共 %3</translation>
    </message>
    <message>
        <source>%1 may itself be waiting for others, in %2, where ShardLens does not see it.</source>
        <translation>%1 可能自己也在 %2 中等待其他 rank，ShardLens 看不到那里的等待。</translation>
    </message>
    <message>
        <source>%1 is in %2() and has reported nothing for %3.</source>
        <translation>%1 处于 %2() 中，已有 %3 没有报告。</translation>
    </message>
    <message>
        <source>%1 are in %2() and have reported nothing for %3.</source>
        <translation>%1 处于 %2() 中，已有 %3 没有报告。</translation>
    </message>
    <message>
        <source>%1 raised an exception and has not ended</source>
        <translation>%1 抛出了异常，但没有结束</translation>
    </message>
    <message>
        <source>%1 raised exceptions and have not ended</source>
        <translation>%1 抛出了异常，但没有结束</translation>
    </message>
    <message>
        <source>%1 may themselves be waiting for others, in %2, where ShardLens does not see it.</source>
        <translation>%1 可能自己也在 %2 中等待其他 rank，ShardLens 看不到那里的等待。</translation>
    </message>
    <message>
        <source>No rank makes progress; which one is late is unknown</source>
        <translation>没有 rank 有进展；不知道是哪个 rank 迟到</translation>
    </message>
    <message>
        <source>Compare what the ranks call: they may be in different operations, or have unequal numbers of batches.</source>
        <translation>请比较各 rank 的调用：它们可能处于不同的操作中，或者 batch 数量不相等。</translation>
    </message>
    <message>
        <source>1 more collective does not tell who is late.</source>
        <translation>另有 1 次集合通信无法说明谁迟到。</translation>
    </message>
    <message>
        <source>%1 more collectives do not tell who is late.</source>
        <translation>另有 %1 次集合通信无法说明谁迟到。</translation>
    </message>
    <message>
        <source>%1 ran out at step %2 of epoch %3, so %4 is not the same call for all ranks.</source>
        <translation>%1 在 epoch %3 step %2 用完了 batch，因此 %4 对各 rank 不是同一次调用。</translation>
    </message>
    <message>
        <source> Each time before, the same operations were followed by %1.</source>
        <translation>此前每次在相同的操作之后，接着的都是 %1。</translation>
    </message>
    <message>
        <source> Each time before, the size after the same operations was %1.</source>
        <translation>此前每次在相同的操作之后，大小都是 %1。</translation>
    </message>
    <message>
        <source> %1 handles an exception (%2).</source>
        <translation>%1 正在处理一个异常（%2）。</translation>
    </message>
    <message>
        <source> %1 handles an exception (%2), raised at %3.</source>
        <translation>%1 正在处理一个异常（%2），它在 %3 抛出。</translation>
    </message>
    <message>
        <source>%1 reached %2 first, %3 reached %4.</source>
        <translation>%1 先到达 %2，%3 先到达 %4。</translation>
    </message>
    <message>
        <source> %1 has not reached %2.</source>
        <translation>%1 没有到达 %2。</translation>
    </message>
    <message>
        <source> %1 have not reached %2.</source>
        <translation>%1 没有到达 %2。</translation>
    </message>
    <message>
        <source>Ranks call their collectives in different orders</source>
        <translation>各 rank 以不同的顺序调用集合通信</translation>
    </message>
    <message>
        <source>%1 had no batch left after %2 of epoch %3. %4 had more, and gave up.</source>
        <translation>%1 在 epoch %3 的 %2 之后已没有 batch。%4 还有更多，于是放弃。</translation>
    </message>
    <message>
        <source>the steps that the ranks did</source>
        <translation>各 rank 完成的 step</translation>
    </message>
    <message>
        <source>No rank was found to be slow, but their times vary. Prefetch more (num_workers, prefetch_factor), or balance the work.</source>
        <translation>没有发现偏慢的 rank，但耗时不稳定。请增加预取（num_workers、prefetch_factor），或均衡负载。</translation>
    </message>
    <message>
        <source>Look at the network, the communication library and the devices.</source>
        <translation>请检查网络、通信库和设备。</translation>
    </message>
    <message>
        <source> A rank that left out an earlier call of the same operation and size would look the same: compare what the ranks call.</source>
        <translation>如果某个 rank 此前漏掉了一次相同操作、相同大小的调用，看起来也是这样：请比较各 rank 的调用。</translation>
    </message>
    <message>
        <source>%1 have been waiting for %2, in different operations: %3.</source>
        <translation>%1 已在不同的操作中等待 %2：%3。</translation>
    </message>
    <message>
        <source>%1 have been waiting for %2, in different operations: %3, and so on.</source>
        <translation>%1 已在不同的操作中等待 %2：%3，等等。</translation>
    </message>
    <message>
        <source>1 record was counted but not kept: a ring was full or cut short, the recorder&apos;s disk was too slow, or threads of a rank got in each other&apos;s way.</source>
        <translation>1 条记录只计数而未保留：环形缓冲区已满或被截短、磁盘过慢，或同一 rank 的线程互相阻塞。</translation>
    </message>
    <message>
        <source>%1 records were counted but not kept: a ring was full or cut short, the recorder&apos;s disk was too slow, or threads of a rank got in each other&apos;s way.</source>
        <translation>%1 条记录只计数而未保留：环形缓冲区已满或被截短、磁盘过慢，或同一 rank 的线程互相阻塞。</translation>
    </message>
    <message>
        <source>The run has %1, and the design %2.</source>
        <translation>该运行有 %1，而设计为 %2 个。</translation>
    </message>
    <message>
        <source>Rank %1 takes %2, rank %3 takes %4.</source>
        <translation>rank %1 用时 %2，rank %3 用时 %4。</translation>
    </message>
    <message>
        <source>Rank %1 takes %2, the median of the others is %3.</source>
        <translation>rank %1 用时 %2，其余 rank 的中位数为 %3。</translation>
    </message>
    <message>
        <source>At least half of the ranks wait longer for data than predicted.</source>
        <translation>至少一半的 rank 等待数据的时间比预测的长。</translation>
    </message>
    <message>
        <source>At least half of the ranks work longer than predicted.</source>
        <translation>至少一半的 rank 工作的时间比预测的长。</translation>
    </message>
    <message>
        <source>It takes longer than predicted although all of its ranks had come.</source>
        <translation>尽管其所有 rank 都已到齐，用时仍比预测的长。</translation>
    </message>
    <message>
        <source>%1: %2 measured; the design does not say how long it takes.</source>
        <translation>%1：实测 %2；设计没有说明它需要多长时间。</translation>
    </message>
    <message>
        <source>%1: %2 predicted, %3 measured.</source>
        <translation>%1：预测 %2，实测 %3。</translation>
    </message>
    <message>
        <source>Predicted and measured, in the median step of the rank that takes longest in each phase:</source>
        <translation>各阶段用时最长的 rank 在其中位 step 中的预测与实测：</translation>
    </message>
    <message>
        <source>and %1 more: shardlens replay</source>
        <translation>另有 %1 个：shardlens replay</translation>
    </message>
    <message>
        <source>What the phases took was not measured: %1</source>
        <translation>各阶段的用时未能测量：%1</translation>
    </message>
    <message>
        <source>%1 of group %2</source>
        <translation>组 %2 的 %1</translation>
    </message>
</context>
<context>
    <name>window</name>
    <message>
        <source>Same as the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Rank lanes</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Console</source>
        <translation>控制台</translation>
    </message>
    <message>
        <source>&amp;Plan again</source>
        <translation>重新生成计划(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Stop planning</source>
        <translation>停止生成计划(&amp;S)</translation>
    </message>
    <message>
        <source>Edit as te&amp;xt</source>
        <translation>以文本编辑(&amp;X)</translation>
    </message>
    <message>
        <source>The design as YAML, in step with the form</source>
        <translation>YAML 形式的设计，与表单同步</translation>
    </message>
    <message>
        <source>Choose a sa&amp;mpler…</source>
        <translation>选择采样器(&amp;M)…</translation>
    </message>
    <message>
        <source>Choose by framework, search or preview</source>
        <translation>按框架、搜索或预览来选择</translation>
    </message>
    <message>
        <source>Play or pa&amp;use</source>
        <translation>播放或暂停(&amp;U)</translation>
    </message>
    <message>
        <source>Play or pause (Space)</source>
        <translation>播放或暂停（Space）</translation>
    </message>
    <message>
        <source>&amp;First step</source>
        <translation>第一个 step(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Next epoch</source>
        <translation>下一个 epoch(&amp;N)</translation>
    </message>
    <message>
        <source>Pre&amp;vious epoch</source>
        <translation>上一个 epoch(&amp;V)</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>view</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>design</source>
        <translation>设计</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>analyse</source>
        <translation>分析</translation>
    </message>
    <message>
        <source>help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>About ShardLens</source>
        <translation>关于 ShardLens</translation>
    </message>
    <message>
        <source>&lt;h3&gt;ShardLens %1&lt;/h3&gt;&lt;p&gt;Designs, inspects, proves and monitors the data pipeline of distributed training jobs.&lt;/p&gt;&lt;p&gt;The window is free software under GPL-3.0-or-later, with Qt and QCustomPlot; the engine and the command line are under Apache-2.0.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;ShardLens %1&lt;/h3&gt;&lt;p&gt;设计、检查、证明和监控分布式训练作业的数据流水线。&lt;/p&gt;&lt;p&gt;窗口是 GPL-3.0-or-later 许可的自由软件，使用 Qt 和 QCustomPlot；引擎和命令行采用 Apache-2.0 许可。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Pipelines (*.yaml *.yml);;All files (*)</source>
        <translation>流水线 (*.yaml *.yml);;所有文件 (*)</translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>%1 (not saved)</source>
        <translation>%1（未保存）</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>%1 is still being saved.</source>
        <translation>%1 仍在保存。</translation>
    </message>
    <message>
        <source>Opening %1…</source>
        <translation>正在打开 %1…</translation>
    </message>
    <message>
        <source>%1 was not opened: there is a problem in it.</source>
        <translation>%1 未打开：其中有一个问题。</translation>
    </message>
    <message>
        <source>%1 was not opened: there are %2 problems in it.</source>
        <translation>%1 未打开：其中有 %2 个问题。</translation>
    </message>
    <message>
        <source>%1 has no problems any more. Save it to keep the changes.</source>
        <translation>%1 已没有问题。请保存以保留修改。</translation>
    </message>
    <message>
        <source>Keeping the changes to %1…</source>
        <translation>正在保留对 %1 的修改…</translation>
    </message>
    <message>
        <source>The unsaved changes to %1 were kept: File &gt; Kept drafts.</source>
        <translation>对 %1 的未保存修改已保留：文件 &gt; 保留的草稿。</translation>
    </message>
    <message>
        <source>Saving %1…</source>
        <translation>正在保存 %1…</translation>
    </message>
    <message>
        <source>Save pipeline</source>
        <translation>保存流水线</translation>
    </message>
    <message>
        <source>Opening the draft of %1…</source>
        <translation>正在打开 %1 的草稿…</translation>
    </message>
    <message>
        <source>unsaved changes of the last session</source>
        <translation>上次会话未保存的修改</translation>
    </message>
    <message>
        <source>The unsaved changes to %1 from %2 were restored.</source>
        <translation>已恢复 %2 对 %1 的未保存修改。</translation>
    </message>
    <message>
        <source>Show the saved file instead</source>
        <translation>改为显示已保存的文件</translation>
    </message>
    <message>
        <source>Start a new pipeline</source>
        <translation>新建流水线</translation>
    </message>
    <message>
        <source>Checking %1…</source>
        <translation>正在检查 %1…</translation>
    </message>
    <message>
        <source>%1 was changed on disk by another program.</source>
        <translation>%1 在磁盘上被其他程序修改。</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新加载</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留我的</translation>
    </message>
    <message>
        <source>Overwrite it</source>
        <translation>覆盖它</translation>
    </message>
    <message>
        <source>No recent files</source>
        <translation>没有最近的文件</translation>
    </message>
    <message>
        <source>No kept drafts</source>
        <translation>没有保留的草稿</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
    <message>
        <source>Menu (F10)</source>
        <translation>菜单（F10）</translation>
    </message>
    <message>
        <source>There are unsaved changes.</source>
        <translation>有未保存的修改。</translation>
    </message>
    <message>
        <source>modified</source>
        <translation>已修改</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Locator</source>
        <translation>定位器</translation>
    </message>
    <message>
        <source>Locator results</source>
        <translation>定位结果</translation>
    </message>
    <message>
        <source>No match</source>
        <translation>没有匹配</translation>
    </message>
    <message>
        <source>the last valid plan is shown</source>
        <translation>显示最近一个有效的计划</translation>
    </message>
    <message>
        <source>no plan</source>
        <translation>没有计划</translation>
    </message>
    <message>
        <source>The job</source>
        <translation>作业</translation>
    </message>
    <message>
        <source>%1 (%2, %3)</source>
        <translation>%1（%2，%3）</translation>
    </message>
    <message>
        <source>%1 is still running. It can go on without this window, and Run lists it at the next start.</source>
        <translation>%1 仍在运行。关闭窗口后它可以继续运行，下次启动时会列在“运行”页中。</translation>
    </message>
    <message>
        <source>Keep it running</source>
        <translation>让它继续运行</translation>
    </message>
    <message>
        <source>Stop it</source>
        <translation>停止它</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>新建(&amp;N)</translation>
    </message>
    <message>
        <source>A new pipeline</source>
        <translation>新建流水线</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Examples…</source>
        <translation>示例(&amp;E)…</translation>
    </message>
    <message>
        <source>Small pipelines that each demonstrate one thing</source>
        <translation>每个小型流水线演示一个问题</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Save as a playable &amp;page…</source>
        <translation>保存为可播放的网页(&amp;P)…</translation>
    </message>
    <message>
        <source>The deal as one HTML file that plays in any browser</source>
        <translation>把分发过程保存为一个可在任何浏览器中播放的 HTML 文件</translation>
    </message>
    <message>
        <source>Save the &amp;run as a page…</source>
        <translation>将运行保存为网页(&amp;R)…</translation>
    </message>
    <message>
        <source>What the run in view did, as one HTML file that opens in any browser</source>
        <translation>把当前运行的经过保存为一个可在任何浏览器中打开的 HTML 文件</translation>
    </message>
    <message>
        <source>Save a p&amp;icture of the window…</source>
        <translation>保存窗口图片(&amp;I)…</translation>
    </message>
    <message>
        <source>PNG with enough pixels for print, or SVG</source>
        <translation>适合印刷的 PNG，或 SVG</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
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
        <source>&amp;Undo %1</source>
        <translation>撤销(&amp;U) %1</translation>
    </message>
    <message>
        <source>&amp;Redo %1</source>
        <translation>重做(&amp;R) %1</translation>
    </message>
    <message>
        <source>&amp;Find sample, rank, action…</source>
        <translation>查找样本、rank、操作(&amp;F)…</translation>
    </message>
    <message>
        <source>rank 3 epoch 1 step 7, a sample id, an action, a field</source>
        <translation>rank 3 epoch 1 step 7、样本 id、操作或字段</translation>
    </message>
    <message>
        <source>Copy &amp;command line</source>
        <translation>复制命令行(&amp;C)</translation>
    </message>
    <message>
        <source>The command line that gives the same result</source>
        <translation>得到相同结果的命令行</translation>
    </message>
    <message>
        <source>&amp;Reduce motion</source>
        <translation>减少动画(&amp;R)</translation>
    </message>
    <message>
        <source>No animation: the playhead jumps from step to step</source>
        <translation>没有动画：播放头逐步跳动</translation>
    </message>
    <message>
        <source>&amp;Menu bar</source>
        <translation>菜单栏(&amp;M)</translation>
    </message>
    <message>
        <source>Show the menus as a bar</source>
        <translation>以菜单栏显示菜单</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>Reset la&amp;yout</source>
        <translation>重置布局(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>What was selected before</source>
        <translation>上一个选择</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>前进(&amp;F)</translation>
    </message>
    <message>
        <source>What was selected before going back</source>
        <translation>后退之前的选择</translation>
    </message>
    <message>
        <source>Design form</source>
        <translation>设计表单</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>分配图</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>Bottom tabs</source>
        <translation>底部标签页</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>转到%1</translation>
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
        <source>&amp;Light or dark</source>
        <translation>浅色或深色(&amp;L)</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>显示%1</translation>
    </message>
    <message>
        <source>&amp;Keyboard</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>All keyboard shortcuts</source>
        <translation>所有键盘快捷键</translation>
    </message>
    <message>
        <source>&amp;About ShardLens</source>
        <translation>关于 ShardLens(&amp;A)</translation>
    </message>
    <message>
        <source>● starting</source>
        <translation>● 正在启动</translation>
    </message>
    <message>
        <source>● view paused</source>
        <translation>● 视图已暂停</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Kept drafts</source>
        <translation>保留的草稿(&amp;K)</translation>
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
        <source>Lan&amp;guage</source>
        <translation>语言 Language(&amp;G)</translation>
    </message>
    <message>
        <source>Go &amp;to panel</source>
        <translation>转到面板(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Analyse</source>
        <translation>分析(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Design</source>
        <translation>设计</translation>
    </message>
    <message>
        <source>&amp;Design</source>
        <translation>设计(&amp;D)</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>播放或暂停</translation>
    </message>
    <message>
        <source>Step back, step forward</source>
        <translation>后退、前进一个 step</translation>
    </message>
    <message>
        <source>Zoom, pan</source>
        <translation>缩放、平移</translation>
    </message>
    <message>
        <source>Fit everything into the view</source>
        <translation>适应窗口</translation>
    </message>
    <message>
        <source>Select the next rank, step or sample</source>
        <translation>选择下一个 rank、step 或样本</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Go to what a row or a link names</source>
        <translation>转到行或链接所指</translation>
    </message>
    <message>
        <source>Copy the rows of a list</source>
        <translation>复制列表的行</translation>
    </message>
    <message>
        <source>Lens</source>
        <translation>框架对照</translation>
    </message>
    <message>
        <source>&amp;Lens</source>
        <translation>框架对照(&amp;L)</translation>
    </message>
    <message>
        <source>Pin a column beside the reference</source>
        <translation>把一列固定在参考列旁</translation>
    </message>
    <message>
        <source>Move a column left, right</source>
        <translation>左移、右移一列</translation>
    </message>
    <message>
        <source>Hide a column</source>
        <translation>隐藏一列</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>续训</translation>
    </message>
    <message>
        <source>Re&amp;sume</source>
        <translation>续训(&amp;S)</translation>
    </message>
    <message>
        <source>Select a resume method</source>
        <translation>选择续训方式</translation>
    </message>
    <message>
        <source>Stop one step earlier, one step later</source>
        <translation>提前一个、推后一个 step 中断</translation>
    </message>
    <message>
        <source>Ten steps</source>
        <translation>十个 step</translation>
    </message>
    <message>
        <source>Stop at the beginning, at the end</source>
        <translation>在开头、末尾中断</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Run and Autopsy</source>
        <translation>运行与事后分析</translation>
    </message>
    <message>
        <source>Zoom, pan the lanes</source>
        <translation>缩放、平移时间线</translation>
    </message>
    <message>
        <source>Show what is dragged over</source>
        <translation>显示拖选的范围</translation>
    </message>
    <message>
        <source>Drag</source>
        <translation>拖动</translation>
    </message>
    <message>
        <source>The whole run, the latest steps</source>
        <translation>整个运行、最新的 step</translation>
    </message>
    <message>
        <source>Follow the job at this zoom</source>
        <translation>以此缩放跟随作业</translation>
    </message>
    <message>
        <source>Move or resize the frame of the minimap</source>
        <translation>移动、调整缩略图的方框</translation>
    </message>
    <message>
        <source>Select a rank; sort by lateness</source>
        <translation>选择 rank；按迟到排序</translation>
    </message>
    <message>
        <source>Autopsy</source>
        <translation>事后分析</translation>
    </message>
    <message>
        <source>&amp;Autopsy</source>
        <translation>事后分析(&amp;A)</translation>
    </message>
    <message>
        <source>The picture could not be written.</source>
        <translation>图片无法写入。</translation>
    </message>
    <message>
        <source>The folder must exist, and the name must end in .png, .jpg or .svg.</source>
        <translation>文件夹必须存在，文件名必须以 .png、.jpg 或 .svg 结尾。</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>d MMM, hh:mm</source>
        <translation>M月d日 hh:mm</translation>
    </message>
    <message>
        <source>Stopped. Plan again with F5.</source>
        <translation>已停止。按 F5 重新生成计划。</translation>
    </message>
    <message>
        <source>Stopping the job; the window closes when it has ended.</source>
        <translation>正在停止作业；结束后窗口会关闭。</translation>
    </message>
    <message>
        <source>The language changes the next time the window starts.</source>
        <translation>下次启动窗口时使用此语言。</translation>
    </message>
    <message>
        <source>Restored the text of %1 from %2. It still has problems.</source>
        <translation>已恢复 %2 的 %1 的文本，其中仍有问题。</translation>
    </message>
    <message>
        <source>Zoom the rows of ranks</source>
        <translation>缩放 rank 的行高</translation>
    </message>
    <message>
        <source>%1, recorded</source>
        <translation>%1（记录）</translation>
    </message>
    <message>
        <source>Find sample, rank</source>
        <translation>查找样本、rank</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>滚轮</translation>
    </message>
    <message>
        <source>Alt+Wheel</source>
        <translation>Alt+滚轮</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>a design or a recording</source>
        <translation>设计或记录</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>type its command; nothing in it is changed</source>
        <translation>输入命令；程序不作任何修改</translation>
    </message>
    <message>
        <source>Watch a job</source>
        <translation>监视作业</translation>
    </message>
    <message>
        <source>16 samples, 2 ranks, ready to play</source>
        <translation>16 个样本、2 个 rank，可立即播放</translation>
    </message>
    <message>
        <source>New design</source>
        <translation>新建设计</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>面板(&amp;P)</translation>
    </message>
    <message>
        <source>panels</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Menu of a panel: copy, save, hide, move</source>
        <translation>面板菜单：复制、保存、隐藏、移动</translation>
    </message>
    <message>
        <source>Go to a batch of the proof; select it</source>
        <translation>在证明中移到某个 batch；选中它</translation>
    </message>
    <message>
        <source>To the running job</source>
        <translation>前往正在运行的作业</translation>
    </message>
    <message>
        <source>recent designs</source>
        <translation>最近的设计</translation>
    </message>
    <message>
        <source>read: %1, assumed: %2, not known: %3</source>
        <translation>读到：%1，假定：%2，未知：%3</translation>
    </message>
    <message>
        <source>Importing %1…</source>
        <translation>正在导入 %1…</translation>
    </message>
    <message>
        <source>%1 was not imported.</source>
        <translation>%1 未被导入。</translation>
    </message>
    <message>
        <source>%1 is no spec; what it says of the data pipeline was imported (%2).</source>
        <translation>%1 不是配置；其中关于数据管道的内容已导入（%2）。</translation>
    </message>
    <message>
        <source>Show the notes</source>
        <translation>查看说明</translation>
    </message>
    <message>
        <source>Launch a stand-in</source>
        <translation>启动模拟作业</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>%1 still runs.</source>
        <translation>%1 仍在运行。</translation>
    </message>
    <message>
        <source>%1 and %2 still run.</source>
        <translation>%1 和%2仍在运行。</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>The text in the clipboard</source>
        <translation>剪贴板中的文本</translation>
    </message>
    <message>
        <source>Reading the clipboard…</source>
        <translation>正在读取剪贴板…</translation>
    </message>
    <message>
        <source>The spec in the clipboard was not opened.</source>
        <translation>剪贴板中的配置未被打开。</translation>
    </message>
    <message>
        <source>The spec in the clipboard is the design now. It is not saved.</source>
        <translation>剪贴板中的配置现在是当前设计，尚未保存。</translation>
    </message>
    <message>
        <source>There is no text in the clipboard. Copy a spec, a script, a config or a command line.</source>
        <translation>剪贴板中没有文本。请复制一份配置、脚本、配置文件或一条命令。</translation>
    </message>
    <message>
        <source>New from &amp;clipboard</source>
        <translation>从剪贴板新建(&amp;C)</translation>
    </message>
    <message>
        <source>A design of the copied spec, script, config or command line</source>
        <translation>由复制的配置、脚本、配置文件或命令生成设计</translation>
    </message>
    <message>
        <source>Open its design</source>
        <translation>打开它的设计</translation>
    </message>
    <message>
        <source>This is not the design of the job that runs.</source>
        <translation>这不是正在运行的作业的设计。</translation>
    </message>
    <message>
        <source>This is not the design of the recording %1.</source>
        <translation>这不是运行记录 %1 的设计。</translation>
    </message>
    <message>
        <source>This design plans every recorded batch of the loader %1 in the recording %2 (%3).</source>
        <translation>运行记录 %2 中加载器 %1 的每个已记录 batch 都与此设计的计划一致（%3）。</translation>
    </message>
    <message>
        <source>Designs, scripts, configs and recordings (*.yaml *.yml *.py *.sh *.sbatch *.slurm *.json *.slrun *.slseg *.slprobe);;All files (*)</source>
        <translation>设计、脚本、配置和运行记录 (*.yaml *.yml *.py *.sh *.sbatch *.slurm *.json *.slrun *.slseg *.slprobe);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a design, script, config or recording</source>
        <translation>打开设计、脚本、配置或运行记录</translation>
    </message>
    <message>
        <source>Open the folder of a recording</source>
        <translation>打开运行记录的文件夹</translation>
    </message>
    <message>
        <source>How many samples there are is not known: type it into dataset.size.</source>
        <translation>样本数未知：请在 dataset.size 中输入。</translation>
    </message>
    <message>
        <source>Type it</source>
        <translation>去输入</translation>
    </message>
    <message>
        <source>A design, a script, a config of a job or a recording</source>
        <translation>设计、脚本、作业的配置或运行记录</translation>
    </message>
    <message>
        <source>Open a &amp;recording…</source>
        <translation>打开运行记录(&amp;R)…</translation>
    </message>
    <message>
        <source>Choose its folder (.slrun)</source>
        <translation>选择它的文件夹（.slrun）</translation>
    </message>
    <message>
        <source>Show the run</source>
        <translation>查看该运行</translation>
    </message>
    <message>
        <source>Open what it read</source>
        <translation>打开它读取的数据</translation>
    </message>
    <message>
        <source>Such as: sample 4711, ranks 3 and 7, rank 1 epoch 0 step 12, or words of a finding, a field, an export</source>
        <translation>例如：sample 4711、3-7（两个 rank）、rank 1 epoch 0 step 12，或者检查结果、字段、导出目标名称中的词</translation>
    </message>
    <message>
        <source>where it is</source>
        <translation>它在哪里</translation>
    </message>
    <message>
        <source>Export: %1</source>
        <translation>导出：%1</translation>
    </message>
    <message>
        <source>Example: %1</source>
        <translation>示例：%1</translation>
    </message>
    <message>
        <source>Large &amp;bottom tabs</source>
        <translation>放大底部标签页(&amp;B)</translation>
    </message>
    <message>
        <source>Most of the height for the tabs below the Stage, and back</source>
        <translation>让分配图下方的标签页占据大部分高度，再次选择则恢复</translation>
    </message>
    <message>
        <source>All-reduce</source>
        <translation>All-reduce</translation>
    </message>
</context>
</TS>
