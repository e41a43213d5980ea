# the states of a recurrent policy are moved for one call, which takes them with the network

import numpy as np
import torch


class Policy:
    def compute_actions(self, obs_batch, state_batches):
        with torch.no_grad():
            scores, hidden = unroll(
                self.model,
                torch.as_tensor(obs_batch, device="cuda"),
                [
                    torch.as_tensor(np.array(state), dtype=torch.float, device="cuda")
                    for state in state_batches
                ],
            )
        return scores.argmax(-1).cpu().numpy(), [state.cpu().numpy() for state in hidden]


def unroll(model, obs, states):
    flat, flat_states = obs.flatten(0, 1), [state.flatten(0, 1) for state in states]
    return model({"obs": flat}, flat_states, None)
