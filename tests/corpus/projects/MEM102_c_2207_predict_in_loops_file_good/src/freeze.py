def freeze_encoder(model):
    for p in model.encoder.parameters():
        p.requires_grad = False


def trainable(model):
    return [p for p in model.parameters() if p.requires_grad]
