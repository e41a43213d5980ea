# encoder and decoder are units of their own, inside of the model's

from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def prepare(model):
    model.encoder = FSDP(model.encoder)
    model.decoder = FSDP(model.decoder)
    return FSDP(model)
