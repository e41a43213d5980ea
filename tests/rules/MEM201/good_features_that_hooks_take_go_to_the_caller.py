# the caller differentiates what the hooks of two layers took from the pass

import torch


def features_of(generator, critic, heads):
    def capture(latents):
        taken = {}
        hooks = [
            head.register_forward_pre_hook(lambda module, inputs: taken.__setitem__(id(module), inputs[0]))
            for head in heads
        ]
        try:
            generator.eval()
            critic.eval()
            made = generator(latents)
            if made.shape[1] != 3:
                raise ValueError("pictures have three channels")
            critic(made)
            return torch.cat([taken[id(head)] for head in heads], 1)
        finally:
            for hook in hooks:
                hook.remove()

    return capture
