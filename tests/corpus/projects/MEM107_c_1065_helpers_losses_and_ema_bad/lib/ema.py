class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {n: p.clone() for n, p in model.named_parameters() if p.requires_grad}

    def update(self, model):
        for n, p in model.named_parameters():
            if p.requires_grad:
                self.shadow[n] = self.decay * self.shadow[n] + (1.0 - self.decay) * p  #! MEM107
