"""Trains a network on records of self-play that lie in the memory of the processor that trains."""

import ctypes as c
import math
import time
import tomllib

import numpy as np
import torch

import network as nn

LARGEST_ROW = 505 / nn.QA  # 32 of these and a bias still fit 16 bits
LARGEST_OUTPUT = 127 / nn.QB
GRADIENT_SCALE = 16.0  # keeps small gradients within what half precision can tell from nothing; Adam does not mind
LOOKAHEAD_PLIES = 12  # what comes later counts for next to nothing


def read_settings(path, changes=None):
    """The settings of a network from its TOML file, and what a plan changes about them."""
    with open(path, "rb") as file:
        settings = tomllib.load(file) | (changes or {})
    settings["shape"] = nn.Shape(settings["width"], settings["mirrored"], settings.get("king_buckets", [0] * 64))
    return settings


def rounded(values, scale, largest):
    """Values as the file will have them. Gradients go to the unrounded ones, as if nothing had been rounded."""
    whole = (values.detach() * scale).round().clamp(-largest * scale, largest * scale) / scale
    return values + (whole - values.detach())


class Model(torch.nn.Module):
    """Two views of the board through one layer, the side to move first, then one output for each number of pieces.

    With a factoriser, a row of the first layer is the sum of one of its own king bucket and one that all buckets share:
    what holds for every place of the king is learned from all positions. The file has the sums.
    """

    def __init__(self, shape, device, factoriser=False):
        super().__init__()
        self.shape = shape

        def random(*size, scale):
            return torch.nn.Parameter((torch.rand(size, device=device) * 2 - 1) * scale)

        first = random(nn.INPUTS, shape.width, scale=0.08)
        if factoriser:
            self.shared = first
            self.rows = torch.nn.Parameter(torch.zeros(shape.features, shape.width, device=device))
        else:
            self.shared = None
            self.rows = torch.nn.Parameter(first.detach().repeat(shape.buckets, 1))
        self.bias = torch.nn.Parameter(torch.full((shape.width,), 0.1, device=device))
        self.output = random(nn.OUTPUTS, 2 * shape.width, scale=1 / math.sqrt(2 * shape.width))
        self.output_bias = torch.nn.Parameter(torch.zeros(nn.OUTPUTS, device=device))

    def first_layer(self):
        """The rows with what they share."""
        return self.rows if self.shared is None else self.rows + self.shared.repeat(self.shape.buckets, 1)

    def forward(self, own, other, outputs):
        """What the network says in plain PyTorch: the measure for the kernels that train it."""
        rows = rounded(self.first_layer(), nn.QA, LARGEST_ROW)
        bias = rounded(self.bias, nn.QA, LARGEST_ROW)
        views = [torch.addmm(bias, board.float(), rows) for board in (own, other)]
        active = torch.cat(views, dim=1).clamp(0, 1).square()
        weights = rounded(self.output, nn.QB, LARGEST_OUTPUT)
        return torch.addmm(self.output_bias, active, weights.t()).gather(1, outputs.unsqueeze(1)).squeeze(1)

    def clip(self):
        self.rows.data.clamp_(-LARGEST_ROW, LARGEST_ROW)
        if self.shared is not None:
            self.shared.data.clamp_(-LARGEST_ROW, LARGEST_ROW)
        self.bias.data.clamp_(-LARGEST_ROW, LARGEST_ROW)
        self.output.data.clamp_(-LARGEST_OUTPUT, LARGEST_OUTPUT)

    def load(self, network):
        """Takes the weights of a network, to train it further. What this model is wider stays as it is by chance, with
        little say at first."""
        width = network.shape.width
        output = self.output.data.view(nn.OUTPUTS, 2, -1)
        output[:, :, width:] *= 0.1
        for mine, theirs, scale in (
            (self.rows.data[:, :width], network.rows, nn.QA),
            (self.bias.data[:width], network.bias, nn.QA),
            (output[:, :, :width], network.output.reshape(nn.OUTPUTS, 2, -1), nn.QB),
            (self.output_bias.data, network.output_bias, nn.QA * nn.QB),
        ):
            mine.copy_(torch.tensor(theirs / scale, dtype=torch.float32))
        if self.shared is not None:
            # What all buckets have in common is their mean.
            self.shared.data.copy_(self.rows.data.view(self.shape.buckets, nn.INPUTS, -1).mean(0))
            self.rows.data.sub_(self.shared.data.repeat(self.shape.buckets, 1))

    def export(self, provenance, scale=1.0):
        """The network for the file, with all its values multiplied by a scale."""
        rows = self.first_layer().detach().clamp(-LARGEST_ROW, LARGEST_ROW)
        output = (self.output * scale).detach().clamp(-LARGEST_OUTPUT, LARGEST_OUTPUT)
        parts = (p.detach().cpu().numpy() for p in (rows, self.bias, output, self.output_bias * scale))
        return nn.quantise(self.shape, *parts, provenance)


class View(c.Structure):
    _fields_ = [("mirrored", c.c_uint8), ("buckets", c.c_uint8), ("bucket_of", c.c_uint8 * 64)]


class OutputLayer(c.Structure):
    """The names and meanings are those of `OutputLayer` in output_layer.h."""

    _fields_ = [("positions", c.c_int32), ("width", c.c_int32), ("gradient_scale", c.c_float)] + [
        (name, c.c_void_p)
        for name in (
            "sums outputs targets first_bias weights biases errors slopes "
            "first_bias_gradients weight_gradients bias_gradients"
        ).split()
    ]


class Batch:
    """A batch of positions and its way through a model: the library unpacks records and computes the output layer."""

    def __init__(self, library, model, size, device):
        shape = model.shape
        self.library, self.model, self.size = library.lib, model, size
        self.view = View(shape.mirrored, shape.buckets, (c.c_uint8 * 64)(*shape.king_buckets))
        on_gpu = torch.device(device).type == "cuda"
        # Half precision is exact here: weights are whole numbers, and sums beyond 2,048 are cut off at 255 anyway.
        self.precision = torch.float16 if on_gpu else torch.float32
        self.indices = torch.zeros(size, dtype=torch.int32, device=device)
        self.boards = torch.zeros(2, size, shape.features, dtype=self.precision, device=device)
        self.sums = torch.zeros(2 * size, shape.width, dtype=self.precision, device=device)
        self.outputs = torch.zeros(size, dtype=torch.int64, device=device)
        self.targets = torch.zeros(size, device=device)
        self.errors = torch.zeros(size, device=device)
        self.slopes = torch.zeros(size, device=device)
        for parameter in model.parameters():
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)

    def stream(self):
        return c.c_void_p(torch.cuda.current_stream().cuda_stream if self.boards.is_cuda else 0)

    def unpack(self, records):
        self.boards.zero_()
        pointers = (self.boards[0], self.boards[1], self.outputs)
        self.library.unpack(
            c.c_void_p(records.data_ptr()), c.c_void_p(self.indices.data_ptr()), c.c_int(self.size),
            c.byref(self.view), *(c.c_void_p(t.data_ptr()) for t in pointers), self.stream(),
        )

    @torch.no_grad()
    def run(self, backwards):
        """Finds the errors and, if asked to, the gradients of all parameters."""
        model, boards = self.model, self.boards.view(2 * self.size, -1)
        rows = (rounded(model.first_layer(), nn.QA, LARGEST_ROW) * nn.QA).to(self.precision)
        bias = (model.bias * nn.QA).round()
        weights = rounded(model.output, nn.QB, LARGEST_OUTPUT)
        torch.mm(boards, rows, out=self.sums)
        for parameter in (model.bias, model.output, model.output_bias):
            parameter.grad.zero_()
        layer = OutputLayer(self.size, model.shape.width, GRADIENT_SCALE, *(
            tensor.data_ptr()
            for tensor in (
                self.sums, self.outputs, self.targets, bias, weights, model.output_bias, self.errors, self.slopes,
                model.bias.grad, model.output.grad, model.output_bias.grad,
            )
        ))
        self.library.output_layer(c.byref(layer), c.c_int(backwards), self.stream())
        if backwards:
            model.rows.grad.copy_(torch.mm(boards.t(), self.sums))
            if model.shared is not None:
                torch.sum(model.rows.grad.view(model.shape.buckets, nn.INPUTS, -1), 0, out=model.shared.grad)

    def gradient_faults(self):
        """How far the gradients are from those that PyTorch finds, for each parameter, as a part of them."""
        self.run(backwards=True)
        mine = [parameter.grad.clone() for parameter in self.model.parameters()]
        with torch.enable_grad():
            said = self.model(self.boards[0], self.boards[1], self.outputs)
            loss = (torch.sigmoid(said) - self.targets).square().sum() * GRADIENT_SCALE
            theirs = torch.autograd.grad(loss, list(self.model.parameters()))
        return [((a - b).norm() / b.norm()).item() for a, b in zip(mine, theirs)]


def useful(records, first_ply, part=1 << 24):
    """The numbers of the records worth training on: quiet ones past the opening whose scores are no mates."""
    kept = []
    for start in range(0, len(records), part):
        some = records[start : start + part]
        score = some[:, 24:26].contiguous().view(torch.int16).squeeze(1)
        ply = some[:, 28:30].contiguous().view(torch.int16).squeeze(1)
        flags = some[:, 31]
        keep = (flags & 6 == 0) & (score.abs() < 4000) & (ply >= first_ply)
        kept.append((keep.nonzero().squeeze(1) + start).to(torch.int32))
    return torch.cat(kept)


def targets(records, result_weight=0.0, lookahead=0.0, part=1 << 26):
    """What a network is to say about each record: between 0 for a loss and 1 for a win.

    That is the score of its search. With a lookahead, scores of the plies that follow in the game count too, each by this
    factor less than the one before: they have seen more. And so much of the game's result.
    """
    parts = []
    for start in range(0, len(records), part):
        some = records[start : start + part + LOOKAHEAD_PLIES]
        scores = torch.sigmoid(some[:, 24:26].contiguous().view(torch.int16).squeeze(1).float() / nn.SCALE)
        target = scores
        if lookahead:
            ply = some[:, 28:30].contiguous().view(torch.int16).squeeze(1)
            same_game = ply[1:] == ply[:-1] + 1
            for _ in range(LOOKAHEAD_PLIES):
                ahead = scores.clone()
                ahead[:-1].lerp_(1 - target[1:], lookahead)
                target = torch.where(torch.nn.functional.pad(same_game, (0, 1)), ahead, scores)
        if result_weight:
            target = torch.lerp(target, some[:, 30].float() / 2, result_weight)
        parts.append(target[:part])
    return torch.cat(parts)


class Training:
    """One network in training. `result_weight` is how much the results of games count beside the scores."""

    def __init__(self, library, settings, records, device, result_weight, start=None, lookahead=0.0, trunk=None):
        self.settings, self.records = settings, records
        self.model = Model(settings["shape"], device, settings.get("factoriser", False))
        if start is not None:
            self.model.load(start)
        self.batch = Batch(library, self.model, settings["batch"], device)
        self.rate = torch.tensor(settings["rate"], device=device)
        on_gpu = records.is_cuda
        self.optimiser = torch.optim.AdamW(
            self.model.parameters(), lr=self.rate if on_gpu else settings["rate"],
            weight_decay=settings["decay"], fused=on_gpu, capturable=on_gpu,
        )
        self.loss = torch.zeros((), device=device)
        self.steps = self.first_step = 0
        if trunk is not None:
            self.load_trunk(trunk)
        self.targets = targets(records, result_weight, lookahead)
        everything = useful(records, settings["first_ply"])
        held_out = min(len(everything) // 20, 1 << 18)
        self.held_out = everything[len(everything) - held_out :]
        self.training = everything[: len(everything) - held_out]
        self.graph = None

    def one_step(self):
        self.batch.unpack(self.records)
        torch.index_select(self.targets, 0, self.batch.indices, out=self.batch.targets)
        self.batch.run(backwards=True)
        self.optimiser.step()
        self.model.clip()
        self.loss += self.batch.errors.mean()

    def check_gradients(self):
        """Compares the kernels with PyTorch on a batch. Half precision costs up to two hundredths of a gradient."""
        self.draw()
        self.batch.unpack(self.records)
        torch.index_select(self.targets, 0, self.batch.indices, out=self.batch.targets)
        faults = self.batch.gradient_faults()
        if not max(faults) < 0.05:
            raise ValueError(f"the gradients are wrong: {faults}")
        return max(faults)

    def draw(self):
        """Chooses the positions of the next batch."""
        # With replacement: a draw is one cheap kernel, and no order of billions has to be kept.
        chosen = torch.randint(len(self.training), (self.batch.size,), device=self.training.device)
        torch.index_select(self.training, 0, chosen, out=self.batch.indices)

    def capture(self):
        """Records a step as a graph of the GPU, so that a step costs one launch. Without one, steps are just slower."""
        for _ in range(3):
            self.draw()
            self.one_step()
        try:
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                self.one_step()
            torch.cuda.current_stream().wait_stream(stream)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                self.one_step()
            self.graph = graph
        except RuntimeError as error:
            print(f"training without a graph: {error}", flush=True)

    def set_rate(self, progress, hold):
        """A short rise, a constant rate for the part `hold` of the time, then down a cosine to almost nothing."""
        high, low = self.settings["rate"], self.settings["rate"] * 0.003
        rise = min(1.0, (self.steps - self.first_step + 1) / 300)
        falling = min(max(progress - hold, 0) / max(1 - hold, 1e-6), 1.0)
        rate = rise * (low + (high - low) * (1 + math.cos(math.pi * falling)) / 2)
        self.rate.fill_(rate)
        if not self.records.is_cuda:
            for group in self.optimiser.param_groups:
                group["lr"] = rate

    def run(self, seconds, log, max_steps=1 << 62, hold=0.0, before_decay=None):
        """Trains for so long; `before_decay` is called when the rate begins to fall."""
        on_gpu = self.records.is_cuda
        begin = time.time()
        self.set_rate(0, hold)
        if on_gpu and self.graph is None:
            self.capture()
        first = self.steps
        last, last_time, last_steps = self.loss.item(), time.time(), self.steps
        report = max(seconds / 6, 1)
        while True:
            progress = max((time.time() - begin) / seconds, (self.steps - first) / max_steps)
            if before_decay is not None and progress >= hold:
                before_decay()
                before_decay = None
            self.set_rate(progress, hold)
            if progress >= 1:
                break
            for _ in range(20 if on_gpu else 1):
                self.draw()
                self.graph.replay() if self.graph else self.one_step()
                self.steps += 1
            if on_gpu:
                torch.cuda.synchronize()
            if time.time() - last_time > report:
                total, now = self.loss.item(), time.time()
                speed = (self.steps - last_steps) * self.batch.size / (now - last_time) / 1e6
                log(
                    f"  step {self.steps}: loss {(total - last) / max(self.steps - last_steps, 1):.6f}, "
                    f"{speed:.1f} million positions a second"
                )
                last, last_time, last_steps = total, now, self.steps
        return time.time() - begin

    @torch.no_grad()
    def held_out_loss(self):
        """The mean loss on games that were not trained on."""
        if len(self.held_out) < self.batch.size:
            return float("nan")
        total, n = 0.0, 0
        for start in range(0, len(self.held_out) - self.batch.size + 1, self.batch.size):
            self.batch.indices.copy_(self.held_out[start : start + self.batch.size])
            self.batch.unpack(self.records)
            torch.index_select(self.targets, 0, self.batch.indices, out=self.batch.targets)
            self.batch.run(backwards=False)
            total += self.batch.errors.mean().item()
            n += 1
        return total / n

    def save_trunk(self, stem):
        """Keeps what training can go on from: weights in full precision, and how large gradients are.

        Of Adam's two moments the first is forgotten within a few steps, so only the second is kept, as its root.
        """
        weights, moments = {"steps": np.array(self.steps)}, {}
        for name, parameter in self.model.named_parameters():
            weights[name] = parameter.detach().cpu().numpy()
            square = self.optimiser.state[parameter]["exp_avg_sq"]
            moments[name] = square.sqrt().clamp(max=60000).half().cpu().numpy()
        np.savez(f"{stem}-weights.npz", **weights)
        np.savez(f"{stem}-moments.npz", **moments)

    def load_trunk(self, stem):
        weights, moments = np.load(f"{stem}-weights.npz"), np.load(f"{stem}-moments.npz")
        self.steps = self.first_step = int(weights["steps"])
        for name, parameter in self.model.named_parameters():
            parameter.data.copy_(torch.from_numpy(weights[name]))
            square = torch.from_numpy(moments[name]).float().square().to(parameter.device)
            step = torch.tensor(float(max(self.steps, 1)))
            self.optimiser.state[parameter] = {
                "step": step.to(parameter.device) if parameter.is_cuda else step,
                "exp_avg": torch.zeros_like(parameter),
                "exp_avg_sq": square,
            }


@torch.no_grad()
def test_errors(library, model, records, batch_size=16384):
    """The mean squared error against the scores of the records: as it is, with the best scale of the network's values,
    that scale, and by output (number of pieces)."""
    batch_size = min(batch_size, len(records))
    batch = Batch(library, model, batch_size, records.device)
    wanted, said, kinds = targets(records), [], []
    for start in range(0, len(records) - batch_size + 1, batch_size):
        batch.indices.copy_(torch.arange(start, start + batch_size))
        batch.unpack(records)
        said.append(model(batch.boards[0], batch.boards[1], batch.outputs))
        kinds.append(batch.outputs.clone())
    said, kinds = torch.cat(said), torch.cat(kinds)
    wanted = wanted[: len(said)]

    def error(scale):
        return (torch.sigmoid(said * scale) - wanted).square()

    scales = [0.5 + 0.02 * i for i in range(61)]
    best = min(scales, key=lambda scale: error(scale).mean().item())
    plain = error(1.0)
    by_output = [plain[kinds == k].mean().item() for k in range(nn.OUTPUTS)]
    return plain.mean().item(), error(best).mean().item(), best, by_output
