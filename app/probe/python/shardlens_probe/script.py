# SPDX-License-Identifier: Apache-2.0
"""What a training script says about its data pipeline, read from its syntax tree: python3 -I script.py TRAIN.PY. Runs nothing and imports nothing of
the script's. Prints one JSON object, which core/yaml/imports/python_script.cpp turns into a spec:

{"python_script": 1, "loaders": [30, 12], "trained": [12], "facts": [{"how": "read", "field": "loader.batch_size", "text": "32", "line": 12, "code": "..."}, ...]}

how: "read": the script says it; "likely": it says it on one of its paths; "default": an argument's default says it, which a command line may replace
("argument" names it); "computed": it is computed from such a default; "by_name": not a literal, so that arguments that no parser explains may change it; "unknown": it says it in a way that cannot be read without running it; "left": the loop over the loader may end before the loader does;
"apart": the dataset may be another one on each rank; "waits": a collective that depends on the rank and is in no schedule. "loaders" are the lines of all loaders, the
one whose facts follow first, and "trained" those of the others that a loop with backward passes reads; "schedule" has the collectives, where some depend on the rank and all can be read, and
"waits" their lines; "trainer" has the TrainingArguments of the Trainer."""
import ast
import json
import sys

LONGEST_CODE = 80
SAMPLERS = {"DistributedSampler": "torch.DistributedSampler", "RandomSampler": "torch.RandomSampler", "SequentialSampler": "torch.SequentialSampler"}
LOADERS = {"DataLoader", "StatefulDataLoader"}
TRAINING_SETS = {"MNIST": 60000, "FashionMNIST": 60000, "CIFAR10": 50000, "CIFAR100": 50000}
RANK_CALLS = {"get_rank", "get_global_rank", "Get_rank"}
WORLD_CALLS = {"get_world_size", "Get_size"}
LOCAL_CALLS = {"get_local_rank"}
PARSERS = ("parse_args", "parse_known_args")
SPLITS = {"Subset", "random_split", "shard", "split_dataset_by_node", "split_by_node"}  # what makes a part of a dataset
BARRIERS = {"barrier", "Barrier", "monitored_barrier", "wait_for_everyone"}
COLLECTIVES = {"all_reduce": "all_reduce", "broadcast": "broadcast", "broadcast_object_list": "broadcast", "all_gather": "all_gather", "all_gather_object": "all_gather",
               "all_gather_into_tensor": "all_gather", "reduce_scatter": "reduce_scatter", "reduce_scatter_tensor": "reduce_scatter", "all_to_all": "all_to_all",
               "all_to_all_single": "all_to_all", "reduce": "", "gather": "", "gather_object": "", "scatter": "", "scatter_object_list": "", "send": "", "recv": ""}  # "": no schedule has it
UNREAD = {"FullyShardedDataParallel", "fully_shard", "Join"}  # they wait in ways that no schedule has
FIRST = {"main_process_first": "", "local_main_process_first": "local_rank", "torch_distributed_zero_first": "local_rank"}  # "": by whose it is
GLOBAL_FIRST = {"Accelerator", "PartialState"}  # their main_process_first() goes by the global rank, the TrainingArguments' by the local one unless told


def code_of(node):
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= LONGEST_CODE else text[: LONGEST_CODE - 1] + "…"


def last_name(node):
    """DataLoader of torch.utils.data.DataLoader, and of DL where it is imported as that; "" where the script has its own of that name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return getattr(node, "imported", node.id) if isinstance(node, ast.Name) else ""


def mentions(node, names):
    """Whether one of these names or attributes stands in it."""
    return any(ast.unparse(one) in names for one in ast.walk(node) if isinstance(one, (ast.Name, ast.Attribute)))


def keyword(call, name, place=None):
    """The argument of that name, or at that place."""
    for one in call.keywords:
        if one.arg == name:
            return one.value
    is_there = place is not None and place < len(call.args) and not any(isinstance(one, ast.Starred) for one in call.args[: place + 1])
    return call.args[place] if is_there else None


def called(node):
    """The name of the function that it is a plain call of."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def is_literal_words(node):
    """["--bs", "8"], or "--bs 8".split()."""
    splits = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split"
    return isinstance(node, (ast.List, ast.Tuple)) or splits and isinstance(node.func.value, ast.Constant)


def literal_words(node):
    """The words of such a literal; None where one of them is computed."""
    words = ast.literal_eval(node.func.value).split() if isinstance(node, ast.Call) else [getattr(one, "value", None) for one in node.elts]
    return words if all(isinstance(one, str) for one in words) else None


def changed_by(node):
    """The dictionary that `d[key] = value` or `d.update(...)` changes, if it is one of those."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        return node.value
    updates = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "update"
    return node.func.value if updates else None


class Known:
    """A value that the script says, and the argument whose default it is, or is computed from."""

    def __init__(self, value, argument=None, is_computed=False):
        self.value, self.argument, self.is_computed = value, argument, is_computed


class Script:
    def __init__(self, tree):
        self.parents, self.assigned, self.defaults, self.options, self.calls = {}, {}, {}, {}, []
        self.together = {}  # a name -> what is taken apart into it and others: a, b = split(data)
        self.passed = {}  # (function, parameter) -> what its only call passes
        self.declarations = {}  # an option's name -> what its declarations say
        self.given_by_click = {}  # (function, parameter) -> the default of the option; None: not known
        for node in ast.walk(tree):
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
        self.nodes = sorted((node for node in ast.walk(tree) if hasattr(node, "lineno")), key=lambda node: (node.lineno, node.col_offset))
        self.classes = {node.name: node for node in self.nodes if isinstance(node, ast.ClassDef)}
        self.functions = {node.name: node for node in reversed(self.nodes) if isinstance(node, ast.FunctionDef)}  # the first of a name
        self.shared = {name for node in self.nodes if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
        self.follow_imports()
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
                for name in {one.arg for one in call.keywords} if all(one.arg for one in call.keywords) else list(self.defaults):
                    self.defaults[name] = (None, name)
                    self.declarations.setdefault(name, []).extend(one.value for one in call.keywords if one.arg in (name, None))
        self.read_literal_words()
        for function in self.nodes:
            for call in getattr(function, "decorator_list", ()):
                if isinstance(call, ast.Call) and last_name(call.func) == "option" and self.imports_click(call.func):
                    self.add_click_option(call, function)
        self.replacing = [node for node in self.nodes if self.replaces(node)]
        self.rewritten = {self.owner(changed) for changed in map(self.rewrites, self.nodes) if changed is not None}

    def follow_imports(self):
        """Names as they are where they come from."""
        known = LOADERS | set(SAMPLERS) | set(TRAINING_SETS) | {"TensorDataset", "range"}
        names = {node.name: "" for node in self.nodes if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name in known}
        for node in self.nodes:
            for one in node.names if isinstance(node, ast.ImportFrom) else ():
                is_own = one.name in known and (node.level > 0 or (node.module or "").split(".")[0] not in ("torch", "torchdata", "torchvision"))
                if one.asname or is_own:
                    names[one.asname or one.name] = "" if is_own else one.name
        for node in self.nodes:
            if isinstance(node, ast.Name) and node.id in names:
                node.imported = names[node.id]

    def descends(self, name, bases, depth=0):
        """Whether the script has a class of that name that is derived from one of these."""
        owner = self.classes.get(name)
        return owner is not None and depth < 20 and any(last_name(one) in bases or self.descends(ast.unparse(one), bases, depth + 1) for one in owner.bases)

    def is_uncalled(self, node):
        """Whether it stands in a function that nothing in the script names."""
        function = self.function_of(node)
        if function is None or isinstance(self.parents.get(function), ast.ClassDef) or function.decorator_list:
            return False
        return not any(last_name(one) == function.name for one in self.nodes if isinstance(one, (ast.Name, ast.Attribute)))

    def assign(self, target, value):
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for one, its in zip(target.elts, value.elts):
                self.assign(one, its)
        elif isinstance(target, ast.Tuple):
            for one in target.elts:
                self.together.setdefault(ast.unparse(one), []).append(value)
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
            flags = {"store_true": "true", "store_false": "false"}
            flag = flags.get(action.value) if isinstance(action, ast.Constant) else None
            if default is None and flag:
                default = ast.Constant(flag == "false")
            self.declarations.setdefault(name, []).extend([*call.args, *(one.value for one in call.keywords)])
            self.defaults.setdefault(name, (default, name))  # of several for one value, the first says the default
            kind = keyword(call, "type")
            plain = (kind is None or ast.unparse(kind) in ("int", "str", "float")) and keyword(call, "nargs") is None and not any(
                one.arg is None for one in call.keywords)
            takes = "flag" if flag else "value" if plain and (action is None or ast.unparse(action) == "'store'") else "other"
            for option in options:
                self.add_option(option, name, takes, flag or "")

    def add_option(self, option, name, takes, text):
        """Declared twice, by subparsers say: nobody knows which is meant."""
        self.options[option] = {"value": name, "takes": "other" if option in self.options else takes, "text": text}

    def read_literal_words(self):
        """parse_args(["--bs", "8"]) reads these words, and not those of the command line."""
        passed = [keyword(call, "args", 0) for call in self.calls if last_name(call.func) in PARSERS]
        literals = [node for node in passed if is_literal_words(node)]
        words = literal_words(literals[0]) if len(passed) == len(literals) == 1 else None
        given = self.explained(words) if words is not None else None
        for name, (default, _) in list(self.defaults.items()) if literals else ():
            self.defaults[name] = (None, None) if given is None else (given.get(name, default), None)

    def explained(self, words):
        """What these words give to the options; None where one of them is not explained."""
        given, rest = {}, list(words)
        while rest:
            word, equals, text = rest[0].partition("=") if rest[0].startswith("--") else (rest[0], "", "")
            option = self.options.get(word, {"takes": ""})
            del rest[0]
            if option["takes"] == "flag" and not equals:
                given[option["value"]] = ast.Constant(option["text"] == "true")
            elif option["takes"] == "value" and (equals or rest):
                text = text if equals else rest.pop(0)
                given[option["value"]] = ast.Constant(int(text) if text.isdecimal() else text)
            else:
                return None
        return given

    def imports_click(self, func):
        return ast.unparse(func) == "click.option" or any(isinstance(node, ast.ImportFrom) and node.module == "click" for node in self.nodes)

    def add_click_option(self, call, function):
        """click gives the value to the function as its parameter."""
        words = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        pairs = [[option.strip() for option in word.split("/")] for word in words if word.startswith("-")]
        named = [word for word in words if word.isidentifier()] + sorted((pair[0] for pair in pairs), key=lambda one: not one.startswith("--"))
        if not named:
            return
        name = named[0].lstrip("-").replace("-", "_").lower()
        is_flag = any(len(pair) == 2 for pair in pairs) or ast.unparse(keyword(call, "is_flag") or call) == "True"
        kind = ast.unparse(keyword(call, "type") or ast.Name("str"))
        types = ("int", "str", "float", "click.INT", "click.STRING", "click.FLOAT") + (("bool", "click.BOOL") if is_flag else ())
        usual = {"default", "type", "help", "show_default", "required", "is_flag", "metavar", "hidden"}
        plain = {one.arg for one in call.keywords} <= usual and kind in types and self.is_called_by_click(function)
        default = keyword(call, "default") or (ast.Constant(False) if is_flag else None)
        self.given_by_click[(function, name)] = default if plain else None
        turned_off = isinstance(default, ast.Constant) and default.value is True  # by its name alone
        for pair in pairs:
            texts = ("true", "false") if len(pair) == 2 else ("false" if turned_off else "true",)
            for option, text in zip(pair, texts):
                self.add_option(option, name, ("flag" if is_flag else "value") if plain else "other", text if is_flag else "")

    def is_called_by_click(self, function):
        """Whether its parameters come from the command line as click reads it, and from nothing else."""
        harmless = {"option", "argument", "command", "group", "pass_context", "record"}
        decorators = {last_name(getattr(one, "func", one)) for one in function.decorator_list}
        calls = [call for call in self.calls if last_name(call.func) == function.name]
        return decorators <= harmless and not any(call.args or {one.arg for one in call.keywords} - {"standalone_mode"} for call in calls)

    def declared(self, node):
        """The default and the name of the option that it is, if it is one."""
        if isinstance(node, ast.Name):
            key = (self.function_of(node), node.id)
            return (self.given_by_click[key], node.id) if key in self.given_by_click and node.id not in self.assigned else None
        is_option = isinstance(node, ast.Attribute) and node.attr in self.defaults and not self.is_set(node.attr)
        return self.defaults[node.attr] if is_option and not self.is_rewritten(node.value) else None

    def replaces(self, node):
        """Whether it may give other values to names of the script, as a file that is run and a star import do."""
        runs = called(node) in ("exec", "execfile") and (
            self.function_of(node) is None if len(node.args) < 2 else called(node.args[1]) == "globals")
        is_star = isinstance(node, ast.ImportFrom) and any(one.name == "*" for one in node.names)
        return runs or is_star or called(changed_by(node)) == "globals"

    def is_replaced(self, value, node):
        """Whether something may give the name another value than this one, of the top, before `node` reads it."""
        reads_late = self.function_of(node) is not None
        return any(self.function_of(one) is not None or value.lineno < one.lineno and (reads_late or one.lineno < node.lineno) for one in self.replacing)

    @staticmethod
    def rewrites(node):
        """What it sets attributes of by a name that may be any, as setattr(args, name, value) does; None: nothing."""
        changed = changed_by(node)
        if isinstance(changed, ast.Attribute) and changed.attr == "__dict__":
            return changed.value
        holder = node if called(node) == "setattr" else changed if called(changed) == "vars" else None
        return holder.args[0] if holder is not None and holder.args else None

    def owner(self, node):
        """The same for the same object."""
        text = ast.unparse(node)
        return (text, self.class_of(node) if text == "self" else None)

    def is_rewritten(self, node):
        return bool(self.rewritten) and self.owner(node) in self.rewritten

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
        if (function, name) not in self.passed:
            self.passed[(function, name)] = self.passed_to(function, name)
        return self.passed[(function, name)]

    def passed_to(self, function, name):
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
            passed = None if (self.function_of(node), node.id) in self.given_by_click else self.given(node.id, node)
            return [node] if passed is None or node.id in self.assigned else [passed]
        if isinstance(node, ast.Name):
            found = self.assigned.get(node.id, [])
            top = [one for one in found if self.function_of(one) is None]
            near = [one for one in found if self.function_of(one) is self.function_of(node)]
            if near and near != top and node.id not in self.shared:
                return near
            if any(self.is_replaced(one, node) for one in top):
                return [node]
            return (found if node.id in self.shared else top or found) or [node]
        if isinstance(node, ast.Attribute):
            name = ast.unparse(node)
            if any(one != name and one.endswith("." + node.attr) for one in self.assigned) or self.is_rewritten(node.value):
                return [node]  # the same may be set by another name
            found = self.assigned.get(name, [])
            return [one for one in found if not name.startswith("self.") or self.class_of(one) is self.class_of(node)] or [node]
        return [node]

    def depends_on_rank(self, node):
        """Whether the rank of the process, or its place on the node, stands in what makes this value, as far as 2000 expressions tell."""
        seen, left = set(), [node]
        while left and len(seen) < 2000:
            one = left.pop()
            if one in seen:
                continue
            seen.add(one)
            if self.place(one) in ("rank", "local_rank") or (isinstance(one, (ast.Name, ast.Attribute)) and "main_process" in last_name(one)):
                return True
            option = self.of_option(one)
            if option is not None:
                left += option
                continue
            owner, function = self.classes.get(called(one)), self.functions.get(called(one))
            left += [its for its in owner.body if getattr(its, "name", "") in ("__init__", "__len__", "__iter__")] if owner is not None else []
            left += [its for its in ast.iter_child_nodes(one) if function is None or not self.is_parsed(its.value if isinstance(its, ast.keyword) else its)]
            left += [function] if function is not None else self.sources(one)
        return False

    def of_option(self, node):
        """What declares and sets this one option of parsed arguments; None where it is no such option."""
        is_option = isinstance(node, ast.Attribute) and (self.is_parsed(node.value) or self.is_any_given(node.value) and node.attr in self.declarations)
        if not is_option:
            return None
        made = [value for names in (self.assigned, self.together) for name, values in names.items() if name.endswith("." + node.attr) for value in values]
        words = [one for call in self.calls if last_name(call.func) in PARSERS for one in [*call.args, *call.keywords]]
        return self.declarations.get(node.attr, []) + made + words

    def is_any_given(self, node):
        """Whether it is a parameter of which nobody knows what is passed."""
        return isinstance(node, ast.Name) and node.id in self.parameters(self.function_of(node)) and self.values(node) == [node]

    def is_parsed(self, node, depth=0):
        """Whether it is what argparse gives, and nothing else."""
        if depth > 10 or not isinstance(node, (ast.Name, ast.Attribute, ast.Call)) or self.is_rewritten(node):
            return False
        if isinstance(node, ast.Call):
            function = self.functions.get(called(node))
            returned = [one.value for one in ast.walk(function) if isinstance(one, ast.Return)] if function is not None else []
            return last_name(node.func) in PARSERS or bool(returned) and all(self.is_parsed(one, depth + 1) for one in returned)
        made = [one for one in self.sources(node) if one is not node and not (isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Attribute))]
        return bool(made) and all(self.is_parsed(one, depth + 1) for one in made)

    def sources(self, node):
        """The values of a name, also those that make it together with others."""
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return []
        made = self.values(node) + self.together.get(ast.unparse(node), [])
        is_later = [self.function_of(one) is self.function_of(node) and getattr(one, "lineno", 0) > node.lineno for one in made]
        return [one.iter if isinstance(one, ast.For) else one for one, later in zip(made, is_later) if not later]

    def splits(self, node, depth=0):
        """Whether it is a part of a dataset that may be another one on each rank."""
        def is_part(one):
            return last_name(getattr(one, "func", None)) in SPLITS and not self.is_same_split(one)

        return depth < 5 and any(is_part(one) or any(value is not one and self.splits(value, depth + 1) for value in self.sources(one)) for one in ast.walk(node))

    def is_same_split(self, call):
        """Whether every rank makes the same parts: by a generator of its own, which is seeded with a number."""
        generator = keyword(call, "generator", 2) if last_name(call.func) == "random_split" else None
        seeded = self.values(generator) if generator is not None else []
        if len(seeded) != 1 or not isinstance(seeded[0], ast.Call) or last_name(seeded[0].func) != "manual_seed" or len(seeded[0].args) != 1:
            return False
        is_fresh = last_name(getattr(getattr(seeded[0].func, "value", None), "func", None)) == "Generator"
        seed = self.known(seeded[0].args[0])
        return is_fresh and seed is not None and type(seed.value) is int and not seed.argument

    def class_of(self, node):
        while node in self.parents and not isinstance(node, ast.ClassDef):
            node = self.parents[node]
        return node if isinstance(node, ast.ClassDef) else None

    def is_set(self, attribute):
        """Whether an attribute of that name is set anywhere."""
        return any(one.endswith("." + attribute) for one in self.assigned)

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
            value = not inner.value if isinstance(node.op, ast.Not) else -inner.value
            return Known(value, inner.argument, True) if isinstance(node.op, (ast.Not, ast.USub)) else None
        if isinstance(node, ast.BinOp):
            return self.computed(node, depth)
        if isinstance(node, ast.Call) and last_name(node.func) in ("int", "bool") and len(node.args) == 1 and not node.keywords:
            inner = self.known(node.args[0], depth + 1)
            return Known(inner.value, inner.argument, True) if inner is not None and isinstance(inner.value, (bool, int)) else None
        if isinstance(node, (ast.Name, ast.Attribute)):
            values = self.values(node)
            if values != [node]:
                found = [self.known(value, depth + 1) for value in values]
                same = all(one is not None and one.value == found[0].value and one.argument == found[0].argument for one in found)
                return found[0] if same else None
            if self.declared(node):
                default, option = self.declared(node)
                inner = self.known(default, depth + 1)
                return None if inner is None else Known(inner.value, option, inner.argument is not None)
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

    def sure(self, node, made):
        """Whether the name is this value, or None, and nothing else."""
        values = [one for one in self.values(node) if not (isinstance(one, ast.Constant) and one.value is None)]
        return values == [made] or (isinstance(node, ast.Attribute) and node.attr == "sampler" and values == [node])

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


class Waits:
    """The collectives of a script: which ranks call them, and when."""

    def __init__(self, script, loops, loaders):
        self.script, self.epochs = script, loops[0] if loops else None
        found = [node for node in script.nodes if isinstance(node, ast.For) and node not in loops and mentions(node.iter, loaders)]
        self.steps = found[0] if len(found) == 1 else None
        inner = self.epochs.body if self.epochs is not None and not found else []
        self.reads = self.steps or next((one for one in inner if mentions(one, loaders)), None)
        self.owners, self.imported, self.uses, self.reached = {"dist", "torch.distributed"}, set(), {}, {}
        for node in script.nodes:
            if isinstance(node, (ast.Name, ast.Attribute)):
                self.uses.setdefault(last_name(node), []).append(node)
            names = node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else []
            module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            self.owners |= {one.asname or one.name for one in names if (module + "." + one.name).strip(".") == "torch.distributed"}
            self.imported |= {one.asname or one.name for one in names if module.startswith("torch.distributed")}

    def kind(self, call):
        """What it is in a schedule; "" where no schedule has it, None where it is no collective."""
        name, func = last_name(call.func), call.func
        if name == "DistributedDataParallel" or (name == "prepare" and any(last_name(one.func) == "Accelerator" for one in self.script.calls)):
            return "ddp"
        if name in FIRST:
            return "" if name in self.script.functions or not isinstance(self.script.parents.get(call), ast.withitem) else name
        if name in UNREAD:
            return ""
        is_bare = isinstance(func, ast.Name)
        if (is_bare and func.id not in self.imported) or (name == "Barrier" and call.args):
            return None
        if name in BARRIERS or (name in COLLECTIVES and (is_bare or ast.unparse(func.value) in self.owners)):
            group = keyword(call, "group", 0 if name in BARRIERS else 2)
            return "" if group is not None and not isinstance(group, ast.Constant) else COLLECTIVES.get(name, "barrier")
        return None

    def calls(self):
        return [call for call in self.script.calls if self.kind(call) is not None]

    def references(self, function):
        return self.uses.get(function.name, [])

    def is_call_of(self, function, node):
        """Whether this use of its name calls the function, or has it called in processes and threads."""
        owner, call = self.script.parents.get(function), self.script.parents.get(node)
        if isinstance(owner, ast.ClassDef):
            its = node.value if isinstance(node, ast.Attribute) and getattr(call, "func", None) is node else None
            own = self.script.class_of(node) if its is not None and ast.unparse(its) in ("self", "cls") else None
            made = {called(one) for one in self.script.values(its)} if its is not None else set()
            return any(name == owner.name or self.script.descends(name, {owner.name}) for name in {*made, getattr(own, "name", "")})
        holder = self.script.parents.get(call) if isinstance(call, ast.keyword) else call
        starts = last_name(getattr(holder, "func", None)) in ("spawn", "start_processes", "Process", "Thread")
        return isinstance(node, ast.Name) and (starts or getattr(call, "func", None) is node)

    def is_apart(self, node):
        """Whether the rank decides if it is reached, in its function or where that is called."""
        seen, left = set(), [node]
        while left:
            one = left.pop()
            is_apart, function = self.near(one)
            if is_apart:
                return True
            if function is not None and function not in seen:
                seen.add(function)
                left += [its for its in self.references(function) if self.is_call_of(function, its)]
        return False

    def near(self, node):
        """Whether the rank decides within its function if it is reached, by a condition around it or a way out before it; and that function."""
        if node not in self.reached:
            self.reached[node] = self.look_near(node)
        return self.reached[node]

    def look_near(self, node):
        while node in self.script.parents and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            child, node = node, self.script.parents[node]
            test = getattr(node, "test", None)
            if test is not None and child is not test and self.script.depends_on_rank(test):
                return True, None
            if isinstance(node, ast.BoolOp) and any(self.script.depends_on_rank(one) for one in node.values[: node.values.index(child)]):
                return True, None
            if any(isinstance(one, ast.If) and self.script.depends_on_rank(one.test) for one in self.ways_out(node, child)):
                return True, None
        return False, node if node in self.script.parents else None

    def ways_out(self, node, child):
        """The statements before this one, in the same block, that may leave the block."""
        blocks = [one for one in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")) if isinstance(one, list) and child in one]
        return [one for one in blocks[0][: blocks[0].index(child)] if self.may_leave(one)] if blocks else []

    def may_leave(self, node, is_in_loop=False):
        """Whether a return, a break, a continue or an exit in it may be reached."""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            return False
        if isinstance(node, ast.Return) or last_name(getattr(node, "func", None)) in ("exit", "_exit"):
            return True
        if isinstance(node, (ast.Break, ast.Continue)):
            return not is_in_loop
        skipped = node.body if isinstance(node, ast.If) and self.is_never(node.test) else []
        own = node.body if isinstance(node, (ast.For, ast.AsyncFor, ast.While)) else []
        return any(self.may_leave(one, is_in_loop or one in own) for one in ast.iter_child_nodes(node) if one not in skipped)

    def is_never(self, test):
        """Whether it is false in every process that a launcher starts."""
        known = self.script.known(test)
        if known is not None:
            return not known.argument and not known.value
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self.terms(test.operand) == []
        turned = {ast.Eq: ast.NotEq, ast.Lt: ast.GtE, ast.LtE: ast.Gt}
        is_turned = isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in turned
        return is_turned and self.comparison(test.left, turned[type(test.ops[0])](), test.comparators[0]) == []

    def way(self, node):
        """What is around it, as (node, child), and where it stands in each function, outermost first; None where it may be reached in several ways."""
        around, places, functions = [], [(node.lineno, node.col_offset)], []
        while node in self.script.parents:
            child, node = node, self.script.parents[node]
            around.append((node, child))
            if isinstance(node, ast.FunctionDef):
                found = self.references(node)
                holder = self.script.parents.get(found[0]) if len(found) == 1 else None
                if last_name(getattr(holder, "func", None)) in ("spawn", "start_processes"):
                    break
                if node in functions or len(functions) == 10 or not isinstance(holder, ast.Call) or holder.func is not found[0]:
                    return None
                functions.append(node)
                node = holder
                places.append((node.lineno, node.col_offset))
        return around[::-1], places[::-1]

    def moment(self, call):
        """(its places, its moment, its condition); None where one of them cannot be read."""
        way, of_epochs, of_reads = (self.way(one) if one is not None else None for one in (call, self.epochs, self.reads))
        start = of_epochs or of_reads
        if way is None or start is None or (self.epochs is not None and of_epochs is None):
            return None
        terms, inside = [], set()
        for node, child in way[0]:
            if self.ways_out(node, child):
                return None
            if isinstance(node, ast.If):
                own = self.terms(node.test) if child is not node.test else None
                own = [self.negated(own)] if own and child in node.orelse else own
                if own is None or None in own or (child in node.orelse and not own):
                    return None
                terms += own
            elif node in (self.epochs, self.steps) and child in node.body:
                inside.add(node)
            elif isinstance(node, ast.Try) and child in node.body + node.finalbody:
                continue
            elif not isinstance(node, (ast.Module, ast.FunctionDef, ast.With, ast.withitem, ast.Expr, ast.Call, ast.Assign, ast.AnnAssign)):
                return None
        at = "start" if way[1] < start[1] else "end"
        if self.steps in inside:
            at = "step"
        elif inside:
            at = None if of_reads is None else "epoch_start" if way[1] < of_reads[1] else "epoch_end"
        return (way[1], at, " and ".join(" ".join(one) for one in terms)) if at is not None else None

    @staticmethod
    def negated(terms):
        """Of one comparison."""
        turned = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in"}
        return (terms[0][0], turned[terms[0][1]], terms[0][2]) if len(terms) == 1 else None

    def terms(self, test, depth=0):
        """The comparisons that must all hold, as (variable, sign, number); None where it cannot be read."""
        if depth > 8:
            return None
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            parts = [self.terms(one, depth + 1) for one in test.values]
            return None if None in parts else sum(parts, [])
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            inner = self.terms(test.operand, depth + 1)
            turned = self.negated(inner) if inner else None
            return [turned] if turned else None
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            return self.comparison(test.left, test.ops[0], test.comparators[0])
        if self.script.place(test) in ("rank", "local_rank"):
            return [(self.script.place(test), "!=", "0")]
        if last_name(getattr(test, "func", None)) in ("is_initialized", "is_available") or last_name(test) in ("distributed", "is_distributed", "use_ddp"):
            return []
        if isinstance(test, ast.Attribute) and test.attr in ("is_main_process", "is_local_main_process"):
            return [("rank" if test.attr == "is_main_process" else "local_rank", "==", "0")]
        function = self.script.functions.get(called(test))
        if function is not None and len(function.body) == 1 and isinstance(function.body[0], ast.Return):
            return self.terms(function.body[0].value, depth + 1)
        values = self.script.values(test)
        return self.terms(values[0], depth + 1) if len(values) == 1 and values[0] is not test and values[0] is not None else None

    def comparison(self, left, sign, right):
        signs = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in", ast.NotIn: "not in"}
        if ast.unparse(left) == "__name__":
            return []
        numbers = [self.script.known(one) for one in (right.elts if isinstance(right, (ast.List, ast.Tuple, ast.Set)) else [right])]
        if type(sign) not in signs or any(one is None or type(one.value) is not int or one.argument for one in numbers):
            return None
        place, text, values = self.script.place(left), signs[type(sign)], [one.value for one in numbers]
        if place == "world_size" and (text, values) in ((">", [1]), ("!=", [1]), (">=", [2])):
            return []
        ranks = [value for value in values if value >= 0]
        if place not in ("rank", "local_rank") or (not ranks and text not in ("!=", "not in", ">", ">=")):
            return None
        if not ranks:
            return []  # local_rank != -1: true of every process that a launcher starts
        return [(place, text, str(ranks if "in" in text else ranks[0]))]

    def phases(self, call):
        """The lines of the schedule that it stands for, with their places; None where no schedule has it."""
        kind, moment = self.kind(call), self.moment(call)
        if not kind or moment is None:
            return None
        places, at, condition = moment
        line = {"do": "broadcast" if kind == "ddp" else kind, "at": at, **({"if": condition} if condition else {})}
        source = keyword(call, "src", 1) if last_name(call.func).startswith("broadcast") else None
        if source is not None and ast.unparse(source) != "0":
            return None
        if kind in FIRST:
            variable = self.goes_first(call)
            return None if condition or not variable else [(places, {"do": "barrier", "at": at, "if": variable + " != 0"}), (self.after(call, places), {"do": "barrier", "at": at, "if": variable + " == 0"})]
        return [(places, line)]

    def goes_first(self, call):
        """What is 0 for those who go first; None where that is not known."""
        variable, owner = FIRST[last_name(call.func)], getattr(call.func, "value", None)
        if variable or owner is None:
            return variable
        makers = {last_name(getattr(one, "func", None)) for one in self.script.values(owner)}
        if makers & GLOBAL_FIRST:
            return "rank" if makers <= GLOBAL_FIRST else None
        local = keyword(call, "local", 0)
        if local is None:
            may_be_global = makers == {""} and not call.keywords and GLOBAL_FIRST & set(self.uses)
            return None if may_be_global or Reader.spread(call) else "local_rank"
        known = self.script.known(local)
        return {True: "local_rank", False: "rank"}.get(known.value) if known is not None and not known.argument else None

    def after(self, call, places):
        """Behind the block that it is the context of."""
        block = self.script.parents[self.script.parents[call]]
        return places[:-1] + [(block.end_lineno, 10**6)]

    def schedule(self, calls):
        """All collectives in their order; empty where one of them cannot be read."""
        found = [self.phases(call) for call in calls]
        if None in found:
            return []
        lines = [line for _, line in sorted(sum(found, []), key=lambda one: one[0])]
        return lines + [{"do": "ddp"}] * any(self.kind(call) == "ddp" for call in calls)


class Reader:
    def __init__(self, script):
        self.script, self.facts, self.trainer, self.loaders, self.trained, self.loops = script, [], None, [], [], []
        self.schedule, self.waits = [], []

    def say(self, how, field, text, node, argument=None, code=None, by=None):
        fact = {"how": how, "field": field, "text": text, "line": node.lineno, "code": code or code_of(node)}
        if argument:
            fact["argument"] = argument
        if by is not None and any(isinstance(one, (ast.Name, ast.Attribute)) for one in ast.walk(by)):
            fact["by_name"] = "true"
        self.facts.append(fact)

    def value(self, field, node, kinds=(int,)):
        """What the expression says of the field; an expression that cannot be read is said to be unknown."""
        known = self.script.known(node)
        section, _, name = field.partition(".")
        code = f"{name}={code_of(node)}" if section in ("loader", "sampler") else code_of(node)
        if known is None or type(known.value) not in kinds:
            if known is None or known.value is not None:
                self.say("unknown", field, code_of(node), node, self.option(node), code, node)
            return
        text = str(known.value).lower() if isinstance(known.value, bool) else str(known.value)
        how = "computed" if known.argument and known.is_computed else "default" if known.argument else "read"
        self.say(how, field, text, node, known.argument, code, node)

    def option(self, node):
        """The argument of the command line that it is, if it is one."""
        declared = self.script.declared(node)
        return declared[1] if declared else None

    def read(self):
        loaders = [call for call in self.script.calls if last_name(call.func) in LOADERS or self.is_own(call)]
        self.loaders = [call.lineno for call in loaders]
        if loaders:
            chosen = max(loaders, key=lambda call: (self.trains(call), self.learns_from(call)))
            self.trained = [call.lineno for call in loaders if call is not chosen and self.learns_from(call)]
            self.loaders.sort(key=lambda line: line != chosen.lineno)
            self.loops = [node for node in self.script.nodes if isinstance(node, ast.For) and self.is_of_epochs(node, set(self.named(chosen)))]
            others = [call for call in loaders if call is not chosen and self.script.function_of(call) is self.script.function_of(chosen)
                      and set(self.targets(call)) & set(self.targets(chosen))]
            if self.is_own(chosen) or others or self.trains(chosen) < 0:
                for field in ("loader.batch_size", "loader.num_workers", "loader.drop_last", "dataset.size", "sampler.type"):
                    self.say("unknown", field, code_of(chosen), others[-1] if others else chosen)
            else:
                self.loader(chosen)
            self.leaves(chosen)
            self.waiting(chosen)
        self.framework()
        self.epochs()
        self.seeds()

    @staticmethod
    def is_of_epochs(loop, loaders):
        """Whether it is a loop over epochs: it says so, or loops over the loader inside."""
        inner = [node.iter for node in ast.walk(loop) if isinstance(node, ast.For) and node is not loop]
        mentioned = {ast.unparse(one) for its in inner for one in ast.walk(its) if isinstance(one, (ast.Name, ast.Attribute))}
        return "epoch" in ast.unparse(loop.target).lower() or bool(mentioned & loaders)

    def is_own(self, call):
        """Whether the script itself says what this loader does."""
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        return (name in LOADERS and last_name(call.func) == "") or self.script.descends(name, LOADERS)

    def targets(self, call):
        """What the call is assigned to."""
        node, names = call, []
        while node in self.script.parents:
            node = self.script.parents[node]
            if isinstance(node, ast.Assign):
                names += [ast.unparse(target) for target in node.targets]
        return names

    def named(self, call):
        """What the call is assigned to, and the function that it stands in."""
        function = self.script.function_of(call)
        return self.targets(call) + ([function.name] if function else [])

    def trains(self, call):
        """The higher, the more likely it is the loader of the training; max() takes the first of equals."""
        words = " ".join(self.named(call) + [ast.unparse(one) for one in call.args[:1]]).lower()
        evaluates = any(word in words for word in ("val", "test", "eval", "dev_", "pred")) or self.script.evaluates(set(self.named(call)))
        shuffle = self.script.known(keyword(call, "shuffle", 2))
        return ("train" in words) * 4 - evaluates * 4 - self.script.is_uncalled(call) * 16 * (len(self.loaders) > 1) + (keyword(call, "sampler", 3) is not None or bool(shuffle and shuffle.value))

    def learns_from(self, call):
        """Whether a loop over the loader has a backward pass in it: where the loader is made, or where a function gets it."""
        names, own = set(self.targets(call)), self.script.function_of(call)
        passed = set()
        for one in self.script.calls:
            function = self.script.functions.get(last_name(one.func))
            if function is not None and own in (None, self.script.function_of(one)):
                given = list(zip(self.script.parameters(function), one.args)) + [(its.arg, its.value) for its in one.keywords]
                passed |= {(function, name) for name, value in given if mentions(value, names)}
        for loop in self.script.nodes:
            if not isinstance(loop, ast.For) or not any(isinstance(one, ast.Call) and last_name(one.func) == "backward" for one in ast.walk(loop)):
                continue
            function = self.script.function_of(loop)
            is_near = own in (None, function) and (mentions(loop.iter, names) or any(one is call for one in ast.walk(loop.iter)))
            if is_near or any((function, ast.unparse(one)) in passed for one in ast.walk(loop.iter) if isinstance(one, ast.Name)):
                return True
        return False

    def loader(self, call):
        batch, batches = keyword(call, "batch_size", 1), keyword(call, "batch_sampler", 4)
        for field in ("loader.batch_size", "loader.drop_last") if batches is not None else ():
            self.say("unknown", field, code_of(batches), batches)
        if batch is not None:
            self.value("loader.batch_size", batch)
        elif self.spread(call):
            self.say("unknown", "loader.batch_size", code_of(call), call)
        elif batches is None:
            self.say("read", "loader.batch_size", "1", call)
        for name, place, kind in (("num_workers", 5, int), ("drop_last", 8, bool), ("prefetch_factor", None, int), ("persistent_workers", None, bool)):
            node = keyword(call, name, place)
            if node is not None:
                self.value("loader." + name, node, (kind,))
            elif name == "num_workers" or (name == "drop_last" and batches is None):
                self.say("unknown" if self.spread(call) else "read", "loader." + name, "0" if kind is int else "false", call)
        data = keyword(call, "dataset", 0)
        made = self.sampler_calls(keyword(call, "sampler", 3))[0]
        drawn = keyword(made[0], "dataset", 0) if len(made) == 1 else None  # the sampler draws from its own
        if data is not None and last_name(made[0].func if made else None) in SAMPLERS and drawn is not None and ast.unparse(drawn) != ast.unparse(data):
            self.say("unknown", "dataset.size", code_of(made[0]), made[0])
        else:
            self.dataset(data)
        self.sampler(call)
        divides = self.facts[-1]["text"] not in ("torch.SequentialSampler", "torch.RandomSampler")
        is_unread = self.facts[-1]["field"] == "sampler.type" and any(one["field"] == "dataset.size" and one["how"] == "unknown" for one in self.facts)
        if data is not None and (self.is_apart(data) or (is_unread and not divides)):
            self.say("apart", "dataset", "", data)
        self.generator(keyword(call, "generator", 12), keyword(call, "sampler", 3) is None)

    def is_apart(self, data):
        """Whether each rank may have another dataset here."""
        return self.script.depends_on_rank(data) or self.script.splits(data)

    def waiting(self, loader):
        """The schedule, or the collectives that depend on the rank and are in none."""
        waits = Waits(self.script, self.loops, set(self.targets(loader)))
        calls = waits.calls()
        apart = [call for call in calls if last_name(call.func) in FIRST or waits.is_apart(call)]
        self.schedule = waits.schedule(calls) if apart else []
        self.waits = [call.lineno for call in calls] if self.schedule else []
        for call in apart if not self.schedule else ():
            self.say("waits", "schedule", "", call)

    @staticmethod
    def spread(call):
        """DataLoader(**kwargs) may say anything."""
        return any(one.arg is None for one in call.keywords) or any(isinstance(one, ast.Starred) for one in call.args)

    def generator(self, node, is_plain):
        """The seed of the generator that the loader is given; its own RandomSampler draws from it, too."""
        if node is None or (isinstance(node, ast.Constant) and node.value is None):
            return None
        shuffles = is_plain and any(one["field"] == "sampler.type" and one["text"] == "torch.RandomSampler" for one in self.facts)
        seeds = [call for call in self.script.calls if last_name(call.func) == "manual_seed" and isinstance(call.func, ast.Attribute)
                 and (ast.unparse(call.func.value) == ast.unparse(node) or call in [node, *self.script.values(node)])]
        if shuffles:
            self.say("read", "sampler.generator", "loader", node)
        field = "sampler.generator_seed" if shuffles else "loader.generator_seed"
        if len(seeds) == 1 and len(seeds[0].args) == 1:
            return self.value(field, seeds[0].args[0])
        return self.say("unknown", field, code_of(node), node)

    def dataset(self, node):
        values = self.script.values(node) if node is not None else []
        made = values[0] if len(values) == 1 and isinstance(values[0], ast.Call) else None
        size = self.size(made) if made is not None else None
        if size is not None:
            return self.value("dataset.size", size)
        name = last_name(made.func) if made is not None else ""
        train = self.script.known(keyword(made, "train", 1)) if name in TRAINING_SETS else None
        if name in TRAINING_SETS and (train is None or train.value is True):
            return self.say("likely", "dataset.size", str(TRAINING_SETS[name]), made)
        return self.say("unknown", "dataset.size", code_of(node), values[-1] if values else node) if node is not None else None

    def size(self, made):
        """The expression that says how many samples this dataset has."""
        name = last_name(made.func)
        if name == "range" and len(made.args) == 1:
            return made.args[0]
        if name == "TensorDataset" and made.args:
            tensors = self.script.values(made.args[0])
            tensor = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], ast.Call) else None
            kind = last_name(tensor.func) if tensor is not None else ""
            one_number = kind == "arange" and len(tensor.args) == 1 and not {one.arg for one in tensor.keywords} & {"end", "step", None}
            return tensor.args[0] if one_number or (kind in ("randn", "rand", "zeros", "ones") and tensor.args) else None
        for node in self.script.nodes:
            if isinstance(node, ast.FunctionDef) and node.name == "__len__" and getattr(self.script.parents.get(node), "name", "") == name:
                body = [one for one in node.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
                last = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
                known = self.script.known(last)
                return last if known is not None and type(known.value) is int else None
        return None

    def sampler(self, call):
        node = keyword(call, "sampler", 3)
        if keyword(call, "batch_sampler", 4) is not None:
            return self.say("unknown", "sampler.type", code_of(keyword(call, "batch_sampler", 4)), call)
        found, others = self.sampler_calls(node)
        if len(found) > 1:
            found, others = [one for one in found if last_name(one.func) == "DistributedSampler"], True
            if len(found) != 1:
                return self.say("unknown", "sampler.type", code_of(node), call)
        if not found and node is not None and others:
            return self.say("unknown", "sampler.type", code_of(node), call)
        if self.spread(call) and not found:
            return self.say("unknown", "sampler.type", code_of(call), call)
        accelerate, is_sure = self.prepares(call)
        if not is_sure:
            return self.say("unknown", "sampler.type", code_of(accelerate), accelerate)
        if not found:
            return self.plain(call, accelerate)
        made = found[0]
        type_name = SAMPLERS.get(last_name(made.func))
        how = "likely" if others else "read"
        draws_otherwise = type_name == "torch.RandomSampler" and (len(made.args) > 1 or {one.arg for one in made.keywords} - {"data_source", "generator"})
        if type_name is None or draws_otherwise or self.spread(made):
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
        if known.argument:  # the type is one field, and what a command gives is the other
            return self.say("unknown", "sampler.type", code_of(shuffle), call)
        for made in self.script.values(keyword(call, "dataset", 0)) if not shuffles and keyword(call, "dataset", 0) is not None else ():
            name = (last_name(made.func) or ast.unparse(made.func)) if isinstance(made, ast.Call) else ""
            streams = any(one.arg == "streaming" for one in made.keywords) if isinstance(made, ast.Call) else False
            if streams or any(word in name for word in ("Iterable", "WebDataset", "Streaming")) or self.script.descends(name, {"IterableDataset"}):
                return self.say("unknown", "sampler.type", code_of(made), made)
        if accelerate is not None:
            self.say("read", "sampler.type", "accelerate.BatchSamplerShard", accelerate)
            return self.say("read", "sampler.shuffle", str(shuffles).lower(), shuffle if shuffle is not None else call)
        trainers = [one for one in self.script.calls if last_name(one.func) == "Trainer"]
        for one in trainers:
            if self.spread(one) or keyword(one, "use_distributed_sampler") is not None or keyword(one, "replace_sampler_ddp") is not None:
                return self.say("unknown", "sampler.type", code_of(one), one)
        if trainers:
            return self.say("likely", "sampler.type", "torch.DistributedSampler", call), self.say("likely", "sampler.shuffle", str(shuffles).lower(), call)
        return self.say("read", "sampler.type", "torch.RandomSampler" if shuffles else "torch.SequentialSampler", call)

    def prepares(self, loader):
        """accelerator.prepare(...) where the script makes an Accelerator, and whether that is sure to divide the loader in the usual way."""
        made = [call for call in self.script.calls if last_name(call.func) == "Accelerator"]
        if not made:
            return None, True
        usual = {"mixed_precision", "gradient_accumulation_steps", "cpu", "log_with", "project_dir", "project_config", "step_scheduler_with_optimizer"}
        unusual = next((call for call in made if call.args or {one.arg for one in call.keywords} - usual), None)
        if unusual is not None or len(made) > 1:
            return unusual or made[1], False
        names = set(self.targets(loader))
        calls = [call for call in self.script.calls if last_name(call.func) in ("prepare", "prepare_data_loader")]
        for call in calls:
            holder = self.script.parents.get(call)
            bound = {ast.unparse(one) for target in holder.targets for one in ast.walk(target)} if isinstance(holder, ast.Assign) else set()
            if any(mentions(one, names & bound) for one in call.args):
                return call, True
        return (calls or made)[0], False

    def distributed(self, made, loader):
        for name, place in (("shuffle", 3), ("drop_last", 5)):
            node = keyword(made, name, place)
            if node is not None and not self.is_rebound(name, made):
                self.value("sampler." + name, node, (bool,))
        if keyword(made, "seed", 4) is not None and not self.is_rebound("seed", made):
            self.value("sampler.seed", keyword(made, "seed", 4))
        for name in ("shuffle", "drop_last", "seed", "num_replicas", "rank"):
            if self.is_rebound(name, made):
                value = self.is_rebound(name, made)
                self.say("unknown", "sampler." + name, code_of(value), value, code=f"{name} = {code_of(value)}")
        replicas, rank = keyword(made, "num_replicas", 1), keyword(made, "rank", 2)
        if not self.is_rebound("num_replicas", made):
            self.of_process("sampler.num_replicas", replicas, {"world_size": None, "ranks_per_node": "ranks_per_node"})
        if not self.is_rebound("rank", made):
            self.of_process("sampler.rank", rank, {"rank": None, "local_rank": "local_rank"})
        self.set_epoch(made, loader)

    def is_rebound(self, name, made):
        """The value that `sampler.seed = 12` sets after the sampler was made."""
        owners = self.targets(made) + ["sampler"]
        found = [values[-1] for key, values in self.script.assigned.items() if key.endswith("." + name) and key.split(".")[-2] in owners]
        return found[0] if found else None

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
        """True only where every epoch's loop says its number before it reads; false only where nothing ever says one."""
        said = [node for node in self.script.nodes if isinstance(node, ast.Attribute) and node.attr == "set_epoch"]
        calls = [self.script.parents[node] for node in said if isinstance(self.script.parents.get(node), ast.Call)]
        others = [call for call in self.script.calls if last_name(call.func) in ("Trainer", "Accelerator", "fit")]
        if not said and not self.script.is_set("epoch") and not others and self.loops:
            loop = self.loops[0]
            return self.say("read", "sampler.set_epoch", "false", loop, code=f"for {ast.unparse(loop.target)} in {code_of(loop.iter)}")
        names = self.targets(made) + [name + ".sampler" for name in self.targets(loader)]
        alone = sum(last_name(call.func) == "DistributedSampler" for call in self.script.calls) == 1
        for call in calls:
            ours = alone or (ast.unparse(call.func.value) in names and self.script.sure(call.func.value, made))
            how = self.says_epoch(call, made, loader) if ours and not self.script.is_set("epoch") else None
            if how:
                return self.say(how, "sampler.set_epoch", "true", call)
        node = calls[0] if calls else made
        return self.say("unknown", "sampler.set_epoch", code_of(node), node)

    def says_epoch(self, call, made, loader):
        """"read" where each epoch calls it first, "likely" where it does so under the condition that the sampler is made under."""
        statement = self.script.parents[call]
        block, how = self.script.parents.get(statement), "read"
        if isinstance(block, ast.If) and statement in block.body and not block.orelse:
            if ast.unparse(block.test) not in self.conditions(made) or block.body[0] is not statement:
                return None
            statement, block, how = block, self.script.parents.get(block), "likely"
        if not isinstance(block, ast.For) or statement not in block.body or block not in self.loops:
            return None
        counts = isinstance(block.iter, ast.Call) and last_name(block.iter.func) in ("range", "trange", "count", "tqdm")
        counted = [one for one in self.script.assigned.get(ast.unparse(block.target), []) if not isinstance(one, ast.For)]
        if not counts or counted or [ast.unparse(one) for one in call.args] != [ast.unparse(block.target)]:
            return None
        at = block.body.index(statement)
        names = set(self.targets(loader))
        before = [one for earlier in block.body[:at] for one in ast.walk(earlier)]
        leaves = any(isinstance(one, (ast.For, ast.While, ast.Continue, ast.Break, ast.Return, ast.Raise, ast.comprehension)) for one in before)
        reads_later = any(mentions(one, names) for one in block.body[at + 1 :])
        calls_before = any(isinstance(one, ast.Call) and last_name(one.func) not in ("set_epoch", "print") for one in before)
        if leaves or any(mentions(one, names) for one in block.body[:at]) or (calls_before and not reads_later):
            return None
        return how

    def conditions(self, node):
        """What must hold for it to be reached."""
        tests = []
        while node in self.script.parents:
            child, node = node, self.script.parents[node]
            if isinstance(node, ast.If) and child in node.body:
                tests.append(ast.unparse(node.test))
            elif isinstance(node, ast.IfExp) and child is node.body:
                tests.append(ast.unparse(node.test))
        return tests

    def accumulates(self):
        """Whether batches are counted in `with accelerator.accumulate(model):`."""
        places = [item.context_expr for node in self.script.nodes if isinstance(node, (ast.With, ast.AsyncWith)) for item in node.items]
        return any(isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr == "accumulate" for one in places)

    def accumulation(self, call):
        """How many batches a step takes where accumulate() counts them; without it the script may count by itself, or not at all."""
        field, node = "loader.gradient_accumulation_steps", keyword(call, "gradient_accumulation_steps", 3)
        plugin = keyword(call, "gradient_accumulation_plugin")
        has_plugin = plugin is not None and not (isinstance(plugin, ast.Constant) and plugin.value is None)
        if has_plugin or (node is None and self.spread(call)):
            return self.say("unknown", field, code_of(call), call)
        if node is None:
            return None
        accelerators = [one for one in self.script.calls if last_name(one.func) == "Accelerator"]
        if len(accelerators) == 1 and self.accumulates():
            return self.value(field, node)
        return self.say("unknown", field, code_of(node), node, code=f"gradient_accumulation_steps={code_of(node)}")

    def framework(self):
        for call in self.script.calls:
            name = last_name(call.func)
            if name == "Accelerator" and self.loaders:
                self.accumulation(call)
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
            data = keyword(call, "train_dataset") if name.endswith("Trainer") and not self.loaders else None
            if data is not None:
                self.dataset(data)
                if self.is_apart(data):
                    self.say("apart", "dataset", "", data)
            if name == "Trainer" and keyword(call, "args") is None:
                for key, field in (("devices", "world.ranks_per_node"), ("num_nodes", "world.nodes"), ("max_epochs", "epochs")):
                    if keyword(call, key) is not None:
                        self.value(field, keyword(call, key))
            if name == "spawn" and keyword(call, "nprocs", 2) is not None:
                self.value("world.ranks_per_node", keyword(call, "nprocs", 2))

    def epochs(self):
        for node in self.loops or [node for node in self.script.nodes if isinstance(node, ast.For) and self.is_of_epochs(node, set())]:
            if self.is_left(node):
                return self.say("unknown", "epochs", "", node, code=f"for {ast.unparse(node.target)} in {code_of(node.iter)}")
            if isinstance(node.iter, ast.Call) and last_name(node.iter.func) in ("range", "trange"):
                ends = node.iter.args
                if len(ends) == 1:
                    return self.value("epochs", ends[0])
                first, last = (self.script.known(one) for one in ends[:2]) if len(ends) == 2 else (None, None)
                if first is not None and last is not None and first.value in (0, 1) and type(last.value) is int and not first.argument:
                    how = "read" if not last.argument else "computed" if first.value or last.is_computed else "default"
                    return self.say(how, "epochs", str(last.value - first.value), node.iter, last.argument, by=ends[1])
                return self.say("unknown", "epochs", code_of(node.iter), node.iter)
        return None

    def is_left(self, loop):
        """Whether a break or a return may end the loop."""
        left = list(loop.body)
        while left:
            node = left.pop()
            if isinstance(node, (ast.Break, ast.Return)):
                return True
            inner = isinstance(node, (ast.For, ast.While, ast.FunctionDef, ast.Lambda))
            left += [] if inner else list(ast.iter_child_nodes(node))
        return False

    def leaves(self, loader):
        """Says where the loop over the loader may end before the loader does."""
        names = set(self.targets(loader))
        for node in self.script.nodes:
            if not isinstance(node, ast.For) or not mentions(node.iter, names):
                continue
            cuts = any(isinstance(one, ast.Call) and last_name(one.func) in ("islice", "zip") for one in ast.walk(node.iter))
            if cuts or self.is_left(node):
                return self.say("left", "loader", "", node, code=f"for {ast.unparse(node.target)} in {code_of(node.iter)}")
        return None

    def seeds(self):
        found = {}
        for call in self.script.calls:
            name, owner = last_name(call.func), call.func.value if isinstance(call.func, ast.Attribute) else None
            is_torch = name == "manual_seed" and owner is not None and ast.unparse(owner) in ("torch", "torch.random", "th")
            is_helper = name in ("seed_everything", "set_seed") and name not in self.script.functions
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
        self.say("default" if argument else "read", "seeds.base", str(base), call, argument, by=call.args[0] if call.args else call.keywords[0].value)
        return self.say("read", "seeds.rule", "same" if term is None else "base+" + term, call)

    def seed(self, node, own, depth=0):
        """(base, None or "rank" or "local_rank", argument), or None where it cannot be read."""
        known = self.script.known(node)
        if known is not None and type(known.value) is int and known.value >= 0 and not (known.argument and known.is_computed):
            return (known.value, "rank" if own else None, known.argument)
        if depth > 5 or own:
            return None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            for number, other in ((node.left, node.right), (node.right, node.left)):
                known, place = self.script.known(number), self.script.place(other)
                if known is not None and type(known.value) is int and known.value >= 0 and not (known.argument and known.is_computed) and place in ("rank", "local_rank"):
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
    options = [{"name": name, **option} for name, option in reader.script.options.items()]
    out = {"python_script": 1, "loaders": reader.loaders, "trained": reader.trained, "options": options, "facts": reader.facts,
           "schedule": reader.schedule, "waits": reader.waits}
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
