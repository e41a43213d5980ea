# metrics batch by batch, or the loss only

from transformers import AutoModelForCausalLM, Trainer, TrainingArguments


def metrics(output, compute_result=False):
    return {}


model = AutoModelForCausalLM.from_pretrained("gpt2")
first = Trainer(model, TrainingArguments("out", batch_eval_metrics=True), compute_metrics=metrics)
second = Trainer(model, TrainingArguments("out", prediction_loss_only=True), compute_metrics=metrics)
