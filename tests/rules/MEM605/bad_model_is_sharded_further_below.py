# the state is divided after the model is one unit: that makes no units of its blocks

from torch.distributed.fsdp import fully_shard


def prepare(model, mesh, states):
    fully_shard(model, mesh=mesh)  #! MEM605 warning
    load_sharded(model, states)
    return model


def load_sharded(model, states):
    model.load_state_dict(states)
