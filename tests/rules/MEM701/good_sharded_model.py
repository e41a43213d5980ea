# the full state of a sharded model was gathered on the host before it was saved

import torch
from torch.distributed.fsdp import FullStateDictConfig, FullyShardedDataParallel, StateDictType

torch.distributed.init_process_group("nccl")
model = FullyShardedDataParallel(torch.nn.Linear(4096, 4096).cuda())
with FullyShardedDataParallel.state_dict_type(
    model, StateDictType.FULL_STATE_DICT, FullStateDictConfig(offload_to_cpu=True)
):
    model.load_state_dict(torch.load("full.pt"))
