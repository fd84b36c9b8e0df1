/**
 * Checks of plain JSON values, compiled once from a Schema: the Schema stays the one statement of the rules, and a check costs
 * a fraction of decoding, which matters when a store of a million rows opens.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"

/**
 * The path below the value and the first rule that failed there, such as `.scheduledAt must be …` or ` must be an object`;
 * undefined when the value keeps every rule.
 *
 * @since 0.1.0
 * @category models
 */
export type Check = (input: unknown) => string | undefined

/**
 * The check of a schema without transformations: structs with exact keys, arrays, literals, primitives, filters, and unions
 * that one literal field discriminates. Any other schema is a defect, found when the check is compiled.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (schema: Schema.Schema.Any): Check => compile(schema.ast)

/**
 * A check's answer under the name of the checked value: `record` and `.title must be …` are `record.title must be …`.
 *
 * @since 0.1.0
 * @category formatting
 */
export const at = (name: string, problem: string): string =>
  name === "" && problem.startsWith(".") ? problem.slice(1) : `${name === "" ? "row" : name}${problem}`

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const compile = (ast: AST.AST): Check => {
  switch (ast._tag) {
    case "StringKeyword":
      return (input) => (typeof input === "string" ? undefined : " must be a string")
    case "NumberKeyword":
      return (input) => (typeof input === "number" ? undefined : " must be a number")
    case "BooleanKeyword":
      return (input) => (typeof input === "boolean" ? undefined : " must be true or false")
    case "Literal": {
      const problem = ` must be ${JSON.stringify(ast.literal)}`
      return (input) => (input === ast.literal ? undefined : problem)
    }
    case "Refinement":
      return refinement(ast)
    case "TupleType":
      return array(ast)
    case "TypeLiteral":
      return struct(ast)
    case "Union":
      return ast.types.every(AST.isLiteral) ? literals(ast.types) : union(ast)
    default:
      throw new Error(`no check for the schema ${ast}`)
  }
}

const refinement = (ast: AST.Refinement): Check => {
  const from = compile(ast.from)
  return (input) => {
    const problem = from(input)
    if (problem !== undefined) return problem
    const issue = ast.filter(input, AST.defaultParseOption, ast)
    return issue._tag === "None" ? undefined : describe(ast, issue.value)
  }
}

const describe = (ast: AST.Refinement, issue: ParseResult.ParseIssue): string => {
  const path = issue._tag === "Pointer" ? [issue.path].flat().map(step).join("") : ""
  const inner = issue._tag === "Pointer" ? issue.issue : issue
  const annotated = Option.getOrUndefined(AST.getMessageAnnotation(ast))?.(issue)
  const message = inner._tag === "Type" && inner.message !== undefined ? inner.message : annotated
  return `${path} ${typeof message === "string" ? message : "is not valid"}`
}

const step = (key: PropertyKey): string => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)

const array = (ast: AST.TupleType): Check => {
  const rest = ast.rest[0]
  if (ast.elements.length > 0 || ast.rest.length !== 1 || rest === undefined)
    throw new Error(`no check for the schema ${ast}`)
  const item = compile(rest.type)
  return (input) => {
    if (!Array.isArray(input)) return " must be an array"
    for (let i = 0; i < input.length; i++) {
      const problem = item(input[i])
      if (problem !== undefined) return `[${i}]${problem}`
    }
    return undefined
  }
}

const struct = (ast: AST.TypeLiteral): Check => {
  if (ast.indexSignatures.length > 0) throw new Error(`no check for the schema ${ast}`)
  const keys = ast.propertySignatures.map((property) => String(property.name))
  const checks = ast.propertySignatures.map((property) => compile(property.type))
  const optional = ast.propertySignatures.map((property) => property.isOptional)
  return (input) => {
    if (!isObject(input)) return " must be an object"
    let present = 0
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!
      const value = input[key]
      if (value === undefined && !Object.hasOwn(input, key)) {
        if (!optional[i]) return `.${key} is missing`
        continue
      }
      present++
      const problem = checks[i]!(value)
      if (problem !== undefined) return `.${key}${problem}`
    }
    const own = Object.keys(input)
    if (own.length === present) return undefined
    const unknown = own.find((key) => !keys.includes(key))
    return unknown === undefined ? " must have own keys only" : ` has the unknown key ${JSON.stringify(unknown)}`
  }
}

const literals = (types: ReadonlyArray<AST.AST>): Check => {
  const values = new Set<unknown>(types.filter(AST.isLiteral).map((type) => type.literal))
  const problem = ` must be one of ${[...values].map((value) => JSON.stringify(value)).join(", ")}`
  return (input) => (values.has(input) ? undefined : problem)
}

const union = (ast: AST.Union): Check => {
  const [tag, literal] = discriminators(ast)
  const members = new Map<unknown, Check>(ast.types.map((type, i) => [literal[i]!.literal, compile(type)]))
  const isKind = literals(literal)
  return (input) => {
    if (!isObject(input)) return " must be an object"
    const check = members.get(input[tag])
    if (check !== undefined) return check(input)
    return Object.hasOwn(input, tag) ? `.${tag}${isKind(input[tag])}` : `.${tag} is missing`
  }
}

const discriminators = (ast: AST.Union): readonly [string, ReadonlyArray<AST.Literal>] => {
  const structs = ast.types.filter(AST.isTypeLiteral)
  for (const { name } of structs[0]?.propertySignatures ?? []) {
    const found = structs.map((type) => type.propertySignatures.find((property) => property.name === name)?.type)
    const literal = found.filter((type) => type !== undefined).filter(AST.isLiteral)
    const distinct = new Set(literal.map((type) => type.literal)).size
    if (distinct === ast.types.length) return [String(name), literal]
  }
  throw new Error(`no field discriminates the schema ${ast}`)
}

const isObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === "object" && input !== null && !Array.isArray(input)
