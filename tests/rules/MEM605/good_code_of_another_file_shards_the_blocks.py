# a function that is not in view gets the blocks, or the model, and shards what it is given

from torch.distributed.fsdp import fully_shard

from trainer.parallel import parallelize_blocks, shard_layers


def prepare(model, mesh):
    shard_layers(model.transformer.layers, mesh)
    fully_shard(model, mesh=mesh)
    return model


def prepare_video(network, mesh):
    parallelize_blocks(network, mesh)
    fully_shard(network, mesh=mesh)
    return network
