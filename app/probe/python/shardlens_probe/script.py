# SPDX-License-Identifier: Apache-2.0
"""What a training script says about its data pipeline, read from its syntax tree: python3 -I script.py TRAIN.PY. Runs nothing and imports nothing of
the script's. Prints one JSON object, which core/yaml/imports/python_script.cpp turns into a spec:

{"python_script": 1, "loaders": [30, 12], "facts": [{"how": "read", "field": "loader.batch_size", "text": "32", "line": 12, "code": "..."}, ...]}

how: "read": the script says it; "likely": it says it on one of its paths; "default": an argument's default says it, which a command line may replace
("argument" names it); "unknown": it says it in a way that cannot be read without running it. "loaders" are the lines of all loaders, the
one whose facts follow first; "trainer" has the TrainingArguments of the Trainer."""
import ast
import json
import sys

LONGEST_CODE = 80
SAMPLERS = {"DistributedSampler": "torch.DistributedSampler", "RandomSampler": "torch.RandomSampler", "SequentialSampler": "torch.SequentialSampler"}
TRAINING_SETS = {"MNIST": 60000, "FashionMNIST": 60000, "CIFAR10": 50000, "CIFAR100": 50000}
RANK_CALLS = {"get_rank", "get_global_rank", "Get_rank"}
WORLD_CALLS = {"get_world_size", "Get_size"}
LOCAL_CALLS = {"get_local_rank"}


def code_of(node):
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= LONGEST_CODE else text[: LONGEST_CODE - 1] + "…"


def last_name(node):
    """DataLoader of torch.utils.data.DataLoader."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def keyword(call, name, place=None):
    """The argument of that name, or at that place."""
    for one in call.keywords:
        if one.arg == name:
            return one.value
    return call.args[place] if place is not None and place < len(call.args) and not isinstance(call.args[place], ast.Starred) else None


class Known:
    """A value that the script says, and the argument whose default it is."""

    def __init__(self, value, argument=None):
        self.value, self.argument = value, argument


class Script:
    def __init__(self, tree):
        self.parents, self.assigned, self.defaults, self.calls = {}, {}, {}, []
        for node in ast.walk(tree):
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
        self.nodes = sorted((node for node in ast.walk(tree) if hasattr(node, "lineno")), key=lambda node: (node.lineno, node.col_offset))
        for node in self.nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                self.assign(node.targets[0], node.value)
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                self.assign(node.target, node.value)
            elif isinstance(node, (ast.AugAssign, ast.NamedExpr, ast.For)):
                for target in ast.walk(node.target):
                    self.assign(target, node)  # not a value that can be read
            elif isinstance(node, ast.Call):
                self.calls.append(node)
        for call in self.calls:
            if last_name(call.func) == "add_argument":
                self.add_argument(call)
        for call in self.calls:
            if last_name(call.func) == "set_defaults":
                for one in call.keywords:
                    self.defaults[one.arg] = (None, one.arg)

    def assign(self, target, value):
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for one, its in zip(target.elts, value.elts):
                self.assign(one, its)
        elif isinstance(target, (ast.Name, ast.Attribute)):
            self.assigned.setdefault(ast.unparse(target), []).append(value)

    def add_argument(self, call):
        options = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        longest = [one for one in options if one.startswith("--")] or options
        dest = keyword(call, "dest")
        if longest:
            name = dest.value if isinstance(dest, ast.Constant) else longest[0].lstrip("-").replace("-", "_")
            default = keyword(call, "default")
            action = keyword(call, "action")
            if default is None and isinstance(action, ast.Constant) and action.value in ("store_true", "store_false"):
                default = ast.Constant(action.value == "store_false")
            self.defaults[name] = (default, longest[0].lstrip("-").replace("-", "_"))

    def function_of(self, node):
        while node in self.parents:
            node = self.parents[node]
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                return node
        return None

    def loop_targets(self, node):
        """What the for loops around it count by, outermost last: ["epoch"]."""
        targets = []
        while node in self.parents:
            node = self.parents[node]
            if isinstance(node, ast.For):
                targets.append(ast.unparse(node.target))
        return targets

    def evaluates(self, names):
        """Whether the script loops over one of these names without gradients."""
        for node in self.nodes:
            inside = isinstance(node, ast.With) and any("no_grad" in ast.unparse(item) or "inference_mode" in ast.unparse(item) for item in node.items)
            for loop in ast.walk(node) if inside else ():
                if isinstance(loop, ast.For) and names & {ast.unparse(one) for one in ast.walk(loop.iter) if isinstance(one, (ast.Name, ast.Attribute))}:
                    return True
        return False

    def given(self, name, near):
        """What the script's only call of the function around `near` passes as its parameter `name`, or the parameter's default."""
        function = self.function_of(near)
        names = self.parameters(function)
        owner = self.parents.get(function)
        called = owner.name if isinstance(owner, ast.ClassDef) and function.name == "__init__" else function.name
        behind = len(names) - names.index(name)
        if isinstance(owner, ast.ClassDef):
            names = names[1:]
        calls = [call for call in self.calls if last_name(call.func) == called]
        named = sum(last_name(node) == called for node in self.nodes if isinstance(node, (ast.Name, ast.Attribute)))
        if len(calls) != 1 or named != 1 or name not in names or any(one.arg is None for one in calls[0].keywords):
            return None
        found = keyword(calls[0], name, names.index(name))
        return found if found is not None else function.args.defaults[-behind] if behind <= len(function.args.defaults) else None

    @staticmethod
    def parameters(function):
        return [one.arg for one in function.args.args] if function else []

    def values(self, node):
        """The expressions that a name may stand for."""
        if isinstance(node, ast.Name) and node.id in self.parameters(self.function_of(node)):
            passed = self.given(node.id, node)
            return [node] if passed is None or node.id in self.assigned else [passed]
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self.assigned.get(ast.unparse(node)) or [node]
        return [node]

    def known(self, node, depth=0):
        """A Known, or None where the value cannot be read."""
        if node is None or depth > 20:
            return None
        if isinstance(node, ast.Constant):
            return Known(node.value)
        if isinstance(node, ast.UnaryOp):
            inner = self.known(node.operand, depth + 1)
            if inner is None or not isinstance(inner.value, (bool, int, float)):
                return None
            return Known(not inner.value if isinstance(node.op, ast.Not) else -inner.value, inner.argument) if isinstance(node.op, (ast.Not, ast.USub)) else None
        if isinstance(node, ast.BinOp):
            return self.computed(node, depth)
        if isinstance(node, ast.Call) and last_name(node.func) in ("int", "bool") and len(node.args) == 1 and not node.keywords:
            inner = self.known(node.args[0], depth + 1)
            return inner if inner is not None and isinstance(inner.value, (bool, int)) else None
        if isinstance(node, (ast.Name, ast.Attribute)):
            values = self.values(node)
            if values != [node]:
                found = [self.known(value, depth + 1) for value in values]
                same = all(one is not None and one.value == found[0].value for one in found)
                return found[0] if same else None
            if isinstance(node, ast.Attribute) and node.attr in self.defaults:
                default, option = self.defaults[node.attr]
                inner = self.known(default, depth + 1)
                return None if inner is None else Known(inner.value, option)
        return None

    def computed(self, node, depth):
        left, right = self.known(node.left, depth + 1), self.known(node.right, depth + 1)
        whole = all(one is not None and type(one.value) is int and abs(one.value) < 2**53 for one in (left, right))
        if not whole or left.argument or right.argument:
            return None
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)) and right.value != 0:
            return Known(left.value // right.value if isinstance(node.op, ast.FloorDiv) else left.value % right.value)
        made = {ast.Add: lambda: left.value + right.value, ast.Sub: lambda: left.value - right.value, ast.Mult: lambda: left.value * right.value}
        return Known(made[type(node.op)]()) if type(node.op) in made else None

    def place(self, node, depth=0):
        """"rank", "local_rank", "world_size" or "ranks_per_node" where the expression is that of its process."""
        if node is None or depth > 20:
            return None
        if isinstance(node, ast.Call):
            name = last_name(node.func)
            if name in ("int", "str") and len(node.args) == 1:
                return self.place(node.args[0], depth + 1)
            if name in ("get", "getenv") and node.args and isinstance(node.args[0], ast.Constant):
                return self.variable(node.args[0].value)
            for names, place in ((RANK_CALLS, "rank"), (WORLD_CALLS, "world_size"), (LOCAL_CALLS, "local_rank"), ({"device_count"}, "ranks_per_node")):
                if name in names and not node.args:
                    return place
            return None
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return self.variable(node.slice.value)
        if isinstance(node, (ast.Name, ast.Attribute)):
            values = self.values(node)
            if values != [node]:
                found = {self.place(value, depth + 1) for value in values if not isinstance(value, ast.Constant)}
                return found.pop() if len(found) == 1 else None
            name = last_name(node)
            names = {"rank": "rank", "global_rank": "rank", "process_index": "rank", "local_rank": "local_rank", "local_process_index": "local_rank",
                     "world_size": "world_size", "num_processes": "world_size"}
            return names.get(name)
        return None

    @staticmethod
    def variable(name):
        return {"RANK": "rank", "LOCAL_RANK": "local_rank", "WORLD_SIZE": "world_size", "LOCAL_WORLD_SIZE": "ranks_per_node", "SLURM_PROCID": "rank",
                "SLURM_LOCALID": "local_rank", "OMPI_COMM_WORLD_RANK": "rank", "OMPI_COMM_WORLD_LOCAL_RANK": "local_rank"}.get(name)


class Reader:
    def __init__(self, script):
        self.script, self.facts, self.trainer, self.loaders, self.loops = script, [], None, [], []

    def say(self, how, field, text, node, argument=None, code=None):
        fact = {"how": how, "field": field, "text": text, "line": node.lineno, "code": code or code_of(node)}
        self.facts.append({**fact, "argument": argument} if argument else fact)

    def value(self, field, node, kinds=(int,)):
        """What the expression says of the field; an expression that cannot be read is said to be unknown."""
        known = self.script.known(node)
        section, _, name = field.partition(".")
        code = f"{name}={code_of(node)}" if section in ("loader", "sampler") else code_of(node)
        if known is None or type(known.value) not in kinds:
            if known is None or known.value is not None:
                self.say("unknown", field, code_of(node), node, self.option(node), code)
            return
        text = str(known.value).lower() if isinstance(known.value, bool) else str(known.value)
        self.say("default" if known.argument else "read", field, text, node, known.argument, code)

    def option(self, node):
        """The argument of the command line that it is, if it is one."""
        is_argument = isinstance(node, ast.Attribute) and node.attr in self.script.defaults and self.script.values(node) == [node]
        return self.script.defaults[node.attr][1] if is_argument else None

    def read(self):
        loaders = [call for call in self.script.calls if last_name(call.func) in ("DataLoader", "StatefulDataLoader")]
        self.loaders = [call.lineno for call in loaders]
        if loaders:
            chosen = max(loaders, key=self.trains)
            self.loaders.sort(key=lambda line: line != chosen.lineno)
            self.loops = [node for node in self.script.nodes if isinstance(node, ast.For) and self.is_of_epochs(node, set(self.named(chosen)))]
            self.loader(chosen)
        self.framework()
        self.epochs()
        self.seeds()

    @staticmethod
    def is_of_epochs(loop, loaders):
        """Whether it is a loop over epochs: it says so, or loops over the loader inside."""
        inner = [node.iter for node in ast.walk(loop) if isinstance(node, ast.For) and node is not loop]
        mentioned = {ast.unparse(one) for its in inner for one in ast.walk(its) if isinstance(one, (ast.Name, ast.Attribute))}
        return "epoch" in ast.unparse(loop.target).lower() or bool(mentioned & loaders)

    def named(self, call):
        """What the call is assigned to, and the function that it stands in."""
        node, names = call, []
        while node in self.script.parents:
            node = self.script.parents[node]
            if isinstance(node, ast.Assign):
                names += [ast.unparse(target) for target in node.targets]
        function = self.script.function_of(call)
        return names + ([function.name] if function else [])

    def trains(self, call):
        """The higher, the more likely it is the loader of the training; max() takes the first of equals."""
        words = " ".join(self.named(call) + [ast.unparse(one) for one in call.args[:1]]).lower()
        evaluates = any(word in words for word in ("val", "test", "eval", "dev_", "pred")) or self.script.evaluates(set(self.named(call)))
        shuffle = self.script.known(keyword(call, "shuffle", 2))
        return ("train" in words) * 4 - evaluates * 4 + (keyword(call, "sampler", 3) is not None or bool(shuffle and shuffle.value))

    def loader(self, call):
        batch = keyword(call, "batch_size", 1)
        if batch is not None:
            self.value("loader.batch_size", batch)
        elif keyword(call, "batch_sampler", 4) is None and not self.spread(call):
            self.say("read", "loader.batch_size", "1", call)
        for name, place, kind in (("num_workers", 5, int), ("drop_last", 8, bool), ("prefetch_factor", None, int), ("persistent_workers", None, bool)):
            node = keyword(call, name, place)
            if node is not None:
                self.value("loader." + name, node, (kind,))
            elif name in ("num_workers", "drop_last") and not self.spread(call):
                self.say("read", "loader." + name, "0" if kind is int else "false", call)
        self.dataset(keyword(call, "dataset", 0))
        self.sampler(call)

    @staticmethod
    def spread(call):
        """DataLoader(**kwargs) may say anything."""
        return any(one.arg is None for one in call.keywords) or any(isinstance(one, ast.Starred) for one in call.args)

    def dataset(self, node):
        for value in self.script.values(node) if node is not None else []:
            if not isinstance(value, ast.Call):
                continue
            name = last_name(value.func)
            train = self.script.known(keyword(value, "train", 1))
            if name in TRAINING_SETS and (train is None or train.value is True):
                return self.say("likely", "dataset.size", str(TRAINING_SETS[name]), value)
            if name == "range" and len(value.args) == 1:
                return self.value("dataset.size", value.args[0])
            if name == "TensorDataset" and value.args:
                for made in self.script.values(value.args[0]):
                    if isinstance(made, ast.Call) and last_name(made.func) in ("arange", "randn", "rand", "zeros", "ones") and made.args:
                        return self.value("dataset.size", made.args[0])
            for node in self.script.nodes:
                if isinstance(node, ast.FunctionDef) and node.name == "__len__" and getattr(self.script.parents.get(node), "name", "") == name:
                    last = node.body[-1]
                    known = self.script.known(last.value) if isinstance(last, ast.Return) and last.value is not None else None
                    if known is not None and type(known.value) is int:
                        return self.value("dataset.size", last.value)
        return None

    def sampler(self, call):
        node = keyword(call, "sampler", 3)
        if keyword(call, "batch_sampler", 4) is not None:
            return self.say("unknown", "sampler.type", code_of(keyword(call, "batch_sampler", 4)), call)
        found, others = self.sampler_calls(node)
        if len(found) > 1:
            found, others = [one for one in found if last_name(one.func) == "DistributedSampler"][:1] or found[:1], True
        if not found and node is not None and others:
            return self.say("unknown", "sampler.type", code_of(node), call)
        if self.spread(call) and not found:
            return self.say("unknown", "sampler.type", code_of(call), call)
        accelerate = self.prepares()
        if not found:
            return self.plain(call, accelerate)
        made = found[0]
        type_name = SAMPLERS.get(last_name(made.func))
        how = "likely" if others else "read"
        if type_name is None:
            return self.say("unknown", "sampler.type", code_of(made), made)
        if type_name == "torch.DistributedSampler" and accelerate is not None:
            self.say("read", "sampler.type", "accelerate.DataLoaderShard", accelerate)
            self.say("read", "sampler.inner", type_name, made)
        else:
            self.say(how, "sampler.type", type_name, made)
        if type_name == "torch.DistributedSampler":
            self.distributed(made, call)
        return None

    def sampler_calls(self, node):
        """The calls that make it, and whether it may be something else as well."""
        found, others, left = [], False, self.script.values(node) if node is not None else []
        left = list(left)
        while left:
            value = left.pop(0)
            if isinstance(value, ast.IfExp):
                left += [value.body, value.orelse]
            elif isinstance(value, ast.Call):
                found.append(value)
            elif not (isinstance(value, ast.Constant) and value.value is None):
                others = True
            else:
                others = others or bool(found) or bool(left)
        return found, others

    def plain(self, call, accelerate):
        shuffle = keyword(call, "shuffle", 2)
        known = self.script.known(shuffle) if shuffle is not None else Known(False)
        if known is None:
            return self.say("unknown", "sampler.type", code_of(shuffle), call)
        shuffles = bool(known.value)
        if accelerate is not None:
            self.say("read", "sampler.type", "accelerate.BatchSamplerShard", accelerate)
            return self.say("read", "sampler.shuffle", str(shuffles).lower(), shuffle if shuffle is not None else call)
        if any(last_name(one.func) == "Trainer" for one in self.script.calls):
            return self.say("likely", "sampler.type", "torch.DistributedSampler", call), self.say("likely", "sampler.shuffle", str(shuffles).lower(), call)
        return self.say("read", "sampler.type", "torch.RandomSampler" if shuffles else "torch.SequentialSampler", call)

    def prepares(self):
        """accelerator.prepare(...), where the script makes an Accelerator."""
        if not any(last_name(call.func) == "Accelerator" for call in self.script.calls):
            return None
        return next((call for call in self.script.calls if last_name(call.func) in ("prepare", "prepare_data_loader")), None)

    def distributed(self, made, loader):
        for name, place in (("shuffle", 3), ("drop_last", 5)):
            node = keyword(made, name, place)
            if node is not None:
                self.value("sampler." + name, node, (bool,))
        if keyword(made, "seed", 4) is not None:
            self.value("sampler.seed", keyword(made, "seed", 4))
        replicas, rank = keyword(made, "num_replicas", 1), keyword(made, "rank", 2)
        self.of_process("sampler.num_replicas", replicas, {"world_size": None, "ranks_per_node": "ranks_per_node"})
        self.of_process("sampler.rank", rank, {"rank": None, "local_rank": "local_rank"})
        self.set_epoch(made, loader)

    def of_process(self, field, node, texts):
        if node is None:
            return
        known, place = self.script.known(node), self.script.place(node)
        if known is not None and type(known.value) is int and not known.argument:
            self.say("read", field, str(known.value), node)
        elif known is not None and known.value is None:
            return
        elif place not in texts:
            self.say("unknown", field, code_of(node), node)
        elif texts[place] is not None:
            self.say("read", field, texts[place], node)

    def set_epoch(self, made, loader):
        calls = [call for call in self.script.calls if last_name(call.func) == "set_epoch" and isinstance(call.func, ast.Attribute)]
        names = self.named(made) + self.named(loader) + [name + ".sampler" for name in self.named(loader)]
        samplers = [call for call in self.script.calls if last_name(call.func) == "DistributedSampler"]
        ours = [call for call in calls if ast.unparse(call.func.value) in names or len(samplers) == 1]
        moving = [call for call in ours if call.args and ast.unparse(call.args[0]) in self.script.loop_targets(call)]
        fixed = all(call.args and self.script.known(call.args[0]) is not None for call in ours)  # or in a way that one field cannot say
        others = [call for call in self.script.calls if last_name(call.func) in ("Trainer", "Accelerator", "fit")]
        if moving:
            self.say("read", "sampler.set_epoch", "true", moving[0])
        elif len(ours) < len(calls) or not fixed or any(not self.script.loop_targets(call) for call in ours) or others or not self.loops:
            self.say("unknown", "sampler.set_epoch", code_of(calls[0] if calls else made), calls[0] if calls else made)
        else:
            self.say("read", "sampler.set_epoch", "false", self.loops[0], code=f"for {ast.unparse(self.loops[0].target)} in {code_of(self.loops[0].iter)}")

    def framework(self):
        for call in self.script.calls:
            name = last_name(call.func)
            if name == "TrainingArguments" and self.trainer is None:
                if self.spread(call):
                    self.say("unknown", "loader.batch_size", code_of(call), call)
                    continue
                arguments = {}
                for one in call.keywords:
                    known = self.script.known(one.value)
                    readable = known is not None and isinstance(known.value, (bool, int, float, str)) and not known.argument
                    arguments[one.arg] = code_of(one.value) if not readable else str(known.value).lower() if isinstance(known.value, bool) else str(known.value)
                self.trainer = {"line": call.lineno, "arguments": arguments}
            if name == "Trainer" and keyword(call, "args") is None:
                for key, field in (("devices", "world.ranks_per_node"), ("num_nodes", "world.nodes"), ("max_epochs", "epochs")):
                    if keyword(call, key) is not None:
                        self.value(field, keyword(call, key))
            if name == "spawn" and keyword(call, "nprocs", 2) is not None:
                self.value("world.ranks_per_node", keyword(call, "nprocs", 2))

    def epochs(self):
        for node in self.loops or [node for node in self.script.nodes if isinstance(node, ast.For) and self.is_of_epochs(node, set())]:
            if isinstance(node.iter, ast.Call) and last_name(node.iter.func) in ("range", "trange"):
                ends = node.iter.args
                if len(ends) == 1:
                    return self.value("epochs", ends[0])
                first, last = (self.script.known(one) for one in ends[:2]) if len(ends) == 2 else (None, None)
                if first is not None and last is not None and first.value in (0, 1) and type(last.value) is int and not first.argument:
                    return self.say("default" if last.argument else "read", "epochs", str(last.value - first.value), node.iter, last.argument)
                return self.say("unknown", "epochs", code_of(node.iter), node.iter)
        return None

    def seeds(self):
        found = {}
        for call in self.script.calls:
            name, owner = last_name(call.func), call.func.value if isinstance(call.func, ast.Attribute) else None
            is_torch = name == "manual_seed" and owner is not None and ast.unparse(owner) in ("torch", "torch.random", "th")
            is_helper = name in ("seed_everything", "set_seed") and self.defines(name) is None
            if not (is_torch or is_helper) or not (call.args or call.keywords):
                continue
            node = call.args[0] if call.args else call.keywords[0].value
            own = keyword(call, "device_specific")
            found[call] = self.seed(node, bool(own is not None and getattr(self.script.known(own), "value", False)))
        rules = set(found.values())
        if not found:
            return None
        call = next(iter(found))
        rule = rules.pop() if len(rules) == 1 else None
        if rule is None:
            return self.say("unknown", "seeds.rule", code_of(call), call)
        base, term, argument = rule
        self.say("default" if argument else "read", "seeds.base", str(base), call, argument)
        return self.say("read", "seeds.rule", "same" if term is None else "base+" + term, call)

    def defines(self, name):
        return next((node for node in self.script.nodes if isinstance(node, ast.FunctionDef) and node.name == name), None)

    def seed(self, node, own, depth=0):
        """(base, None or "rank" or "local_rank", argument), or None where it cannot be read."""
        known = self.script.known(node)
        if known is not None and type(known.value) is int and known.value >= 0:
            return (known.value, "rank" if own else None, known.argument)
        if depth > 5 or own:
            return None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            for number, other in ((node.left, node.right), (node.right, node.left)):
                known, place = self.script.known(number), self.script.place(other)
                if known is not None and type(known.value) is int and known.value >= 0 and place in ("rank", "local_rank"):
                    return (known.value, place, known.argument)
            return None
        values = self.script.values(node)
        if len(values) == 1 and values[0] is not node:
            return self.seed(values[0], own, depth + 1)
        place = self.script.place(node)
        return (0, place, None) if place in ("rank", "local_rank") else None


def described(text):
    reader = Reader(Script(ast.parse(text)))
    reader.read()
    out = {"python_script": 1, "loaders": reader.loaders, "facts": reader.facts}
    return {**out, "trainer": reader.trainer} if reader.trainer else out


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    try:
        print(json.dumps(described(text)))
    except SyntaxError as error:
        print(json.dumps({"python_script": 1, "syntax_error": {"line": error.lineno or 0, "text": error.msg}}))
    except (RecursionError, MemoryError, ValueError) as error:
        print(json.dumps({"python_script": 1, "syntax_error": {"line": 0, "text": str(error)}}))


if __name__ == "__main__":
    main()
