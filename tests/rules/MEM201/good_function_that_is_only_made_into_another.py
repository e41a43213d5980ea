# functorch makes a function of a function: the call that makes it runs no network

import torch
from functorch import make_fx, vmap
from functorch.experimental import functionalize


def traced(mod, inputs):
    mod.eval()

    def run(*given):
        return mod(*given)

    graph = make_fx(functionalize(run))(*inputs)
    graph.graph.eliminate_dead_code()
    return graph


def batched(mod):
    mod.eval()

    def run(given):
        return mod(given)

    each = vmap(run)
    print(each)
    return each
