"""The handler only chooses another batch size; the next pass of the loop, outside of it, tries again."""

import torch


def adjust_batch_size(state, factor):
    state["batch_size"] = max(1, int(state["batch_size"] * factor))
    return state["batch_size"]


def largest_batch(model, make_batch, state, tries=10):
    for _ in range(tries):
        try:
            model(make_batch(state["batch_size"])).sum().backward()
            size = adjust_batch_size(state, 2.0)
        except RuntimeError as error:
            if "out of memory" not in str(error):
                raise
            torch.cuda.empty_cache()
            size = adjust_batch_size(state, 0.5)
            break
        finally:
            model.zero_grad(set_to_none=True)
    return size
