# the vectors are also kept for later updates

import torch
import torch.nn.functional as F


def act_and_learn(model, obs, actions, rewards, memory, n_actions):
    chosen = F.one_hot(actions, n_actions)
    memory.append((obs, chosen, rewards))
    log_probs = torch.sum(F.log_softmax(model(obs), dim=-1) * chosen, dim=-1)
    return -(log_probs * rewards).mean()
