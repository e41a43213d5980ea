from transformers import Trainer


class WeightedTrainer(Trainer):
    """Keeps what the auxiliary head costs, to print it now and then."""

    def __init__(self, *args, weight=0.1, **kwargs):
        super().__init__(*args, **kwargs)
        self.weight = weight
        self.aux_history = []

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        outputs = model(**inputs)
        loss = outputs.loss + self.weight * outputs.aux_loss
        self.aux_history.append(outputs.aux_loss.item())
        return (loss, outputs) if return_outputs else loss
