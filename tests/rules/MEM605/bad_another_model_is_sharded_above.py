# what is sharded by its own method is the encoder of the texts, not the model

from torch.distributed.fsdp import fully_shard


def prepare(model, text_encoder, mesh):
    text_encoder.apply_sharding(mesh)
    fully_shard(model, mesh=mesh)  #! MEM605 warning
    return model
