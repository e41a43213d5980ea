# a trainer class that evaluates in its own way

from transformers import AutoModelForCausalLM, Trainer, TrainingArguments


class ArgmaxTrainer(Trainer):
    def prediction_step(self, model, inputs, prediction_loss_only, ignore_keys=None):
        loss, logits, labels = super().prediction_step(model, inputs, prediction_loss_only, ignore_keys)
        return loss, logits.argmax(-1), labels


def metrics(output):
    return {}


trainer = ArgmaxTrainer(
    AutoModelForCausalLM.from_pretrained("gpt2"), TrainingArguments("out"), compute_metrics=metrics
)
